// Package ir is the intermediate representation: a project as the compiler understands it, free of
// YAML and of Go.
//
// Front ends build a [Program], checks read it, and emission turns it into Go. Everything is
// ordered (slices, no maps) and carries its span in the source. A field tagged `shape:"-"` is not
// part of the shape of a program, on which the resumption of interrupted runs depends. A reference
// keeps the name as written and points to its target. The pointer is nil when nothing has the name.
// The checks report that, so it never reaches emission.
package ir
