// Package sample makes small values that fit a schema: what a script may answer with where no source says what a
// value looks like.
//
// Input: an [ir.Schema]. Output: the JSON of a value with no more in it than the schema asks for, the same each time,
// or an [*Error] that says at which place nothing was found. Numbers are as near to 0 as their bounds let them, texts
// are as they would be without the schema where they can be, and properties that are not required are left out.
//
// The other way round, [Misfit] says why a value does not fit a schema, with the checks and in the words of generated code.
//
// The promise: a value that is returned fits. A schema that nothing fits, and a pattern that is too hard, are errors.
package sample
