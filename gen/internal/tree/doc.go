// Package tree reads values of trees that may not fit their schema, for the front ends.
//
// Input: a [yamldoc.Node] that has been validated, which may be nil. Output: its value with its place. What does not
// fit reads as absent: the schema has said so already, at the place. [ApplyFixes] makes of a tree what was most likely meant.
package tree
