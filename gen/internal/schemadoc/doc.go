// Package schemadoc converts a JSON Schema of a source file (the input or output of a tool, the
// output of an agent) to an ir.Schema. Package emit writes Go types of it, and code that decodes
// and validates their values.
//
// Input: the node of the schema. Output: the schema, and diagnostics, each at the faulty keyword or
// value. A schema without errors means the same in the generated Go as in JSON Schema (draft
// 2020-12), with the differences below. No schema is interpreted at run time.
//
// # Keywords
//
// For all types: type (one name, or a list of one name and "null"), enum and const (of texts,
// numbers or booleans), default, $ref and $defs (or definitions; at the top). A referenced schema
// is copied, unless it contains itself: then it becomes a recursive Go type, and must be an object
// with properties, or a choice of objects. anyOf and oneOf of one schema and null, and of objects
// that a property distinguishes (each requires it with a different const): these become an
// interface and a struct for each. allOf of objects without a common property, which become one
// object. For objects: properties, required, additionalProperties, and without properties also
// minProperties and maxProperties. For arrays: items, minItems, maxItems, uniqueItems. For strings:
// minLength, maxLength, pattern. For numbers: minimum, maximum, exclusiveMinimum, exclusiveMaximum,
// multipleOf. Without effect on validation, as in JSON Schema:
// title, description, examples, format, deprecated, readOnly, writeOnly, contentEncoding,
// contentMediaType, $comment, $schema, $id, and names that begin with x-.
//
// Any other keyword of JSON Schema is schema-unsupported, and any other word unknown-field, so that
// nothing is ignored. [Foreign] drops unsupported keywords instead.
//
// # Deliberate differences from JSON Schema
//
//   - An object without additionalProperties allows no others, as with additionalProperties: false.
//   - A schema without type has the type of its enum, or the type of its other keywords, or any type.
//   - An integer has 64 bits. A number is one that a float64 holds without a change.
//   - A repeated member of an object, and half of a surrogate pair in a text, are refused.
//   - required names declared properties. A default and each value of an enum must fit the schema.
//   - A default replaces a missing property. With required, in items and at the top it has no effect.
//   - Patterns have the syntax of ECMA 262 with the flag u, including white space and line ends. A pattern
//     that Go's regexp does not support, or interprets differently, is refused.
//
// Schema.JSON, which models see, makes the first two explicit.
package schemadoc
