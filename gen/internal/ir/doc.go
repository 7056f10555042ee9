// Package ir is the intermediate representation: a project as the compiler understands it, free of YAML and of Go.
//
// Front ends build a [Program]; checks read it; emission turns it into Go. Everything is ordered (slices, no maps) and
// carries the span it came from. A field tagged `shape:"-"` says nothing of the shape of a program, on which the resumption of
// interrupted runs depends. References keep the name that was written and point to what it names; the pointer is
// nil when nothing has that name, which is a diagnostic of the checks and never reaches emission.
package ir
