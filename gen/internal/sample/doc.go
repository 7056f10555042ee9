// Package sample makes small values that fit a schema. Scripts answer with them where no source
// has an example of a value.
//
// Input: an [ir.Schema]. Output: the JSON of a value that has no more in it than the schema
// requires, the same each time, or an [*Error] with the position for which nothing was found.
// Numbers are as near to 0 as their bounds allow. Texts are the same as without the schema if they
// can be. Optional properties are left out.
//
// In the other direction, [DescribeMisfit] explains why a value does not fit a schema, with the checks and
// the messages of generated code.
//
// Promises: a value that is returned fits. There is an error for a schema that no value fits, and
// for a pattern that is too hard.
package sample
