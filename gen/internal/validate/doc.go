// Package validate checks a document against the JSON Schema of its format and says what is wrong in our own sentences.
//
// Input: the tree of a document, from yamldoc or tomldoc. Output: diagnostics, sorted by place, each at the key or the
// value that is at fault. The schemas of package schema are the one place where fields are described: a new field is a
// change of the schema file. The schema library is used for its verdicts only (which keyword, which value); names,
// places, the branch of a oneOf that was meant and every word of a message are computed here.
//
// Beside the errors that the schema knows there is one kind of warning, unused-field: a field that the format documents
// and that this pattern or file does not use.
package validate
