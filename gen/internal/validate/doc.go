// Package validate checks a document against the JSON Schema of its format and writes messages of
// its own.
//
// Input: the tree of a document, from yamldoc or tomldoc. Output: diagnostics, sorted by position,
// each at the faulty key or value. The schemas of package schema are the only description of
// fields: a new field is a change of the schema file. The schema library only finds the violated
// keywords and their values. This package computes names, spans, the intended branch of a oneOf,
// and the messages.
//
// Besides errors of the schema there is a warning, unused-field: a field that the format documents
// and this pattern or file does not use.
package validate
