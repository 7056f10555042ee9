// Package schemadoc turns a JSON Schema in a source file (a tool's input or output, an agent's output) into an
// ir.Schema, from which package emit writes Go types and the code that decodes and validates them.
//
// Input: the schema's node. Output: the schema, and what is wrong with it, each diagnostic at the keyword or value at fault.
// The promise: a schema without a diagnostic of severity error means to the generated Go what it means to JSON Schema (draft
// 2020-12), but for the differences below. No schema is interpreted at run time.
//
// # Keywords
//
// Of all types: type (one name, or a list of one name and "null"), enum and const (of texts, numbers, or true and false),
// default, $ref and $defs (or definitions; at the top). What is referred to is copied in, unless it contains itself: then it becomes a
// Go type that refers to itself, and has to be an object with properties, or a choice of such.
// anyOf and oneOf of one schema and null, and of objects that a property distinguishes (each requires it with a const of its own): these
// become an interface and a struct for each. allOf of objects that have no property in common, which become one.
// Of objects: properties, required, additionalProperties. Of arrays: items, minItems, maxItems, uniqueItems. Of strings:
// minLength, maxLength, pattern. Of numbers: minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf.
// Without meaning for validation, as in JSON Schema: title, description, examples, format, deprecated, readOnly, writeOnly,
// contentEncoding, contentMediaType, $comment, $schema, $id, and whatever begins with x-.
//
// Any other keyword of JSON Schema is schema-unsupported, and any other word unknown-field, so that nothing is ignored. [Foreign] leaves
// out what cannot become Go instead.
//
// # Differences from JSON Schema, on purpose
//
//   - An object without additionalProperties takes no others, as if additionalProperties were false.
//   - A schema without type means the type of its enum, else the type that its other keywords speak of; without those,
//     any value.
//   - A whole number is one of 64 bits. A number is one that a float64 gives back as it was written.
//   - A member that occurs twice in an object, and half of a surrogate pair in a text, are refused.
//   - required names properties that are declared. A default has to fit its schema, and so does each value of an enum.
//   - A default takes the place of a property that is absent. Beside required, in items and at the top it is a remark.
//   - Patterns mean what they mean in ECMA 262 with the flag u, white space and line ends included. What Go's regexp cannot
//     do, or does differently, is refused.
//
// Schema.JSON, which a model is shown, says all of the first two explicitly.
package schemadoc
