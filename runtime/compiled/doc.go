// Package compiled is what a compiled project says of itself: its agents and how to run them, its tools, models, scripts, prices and
// limits.
//
// Generated code makes a [Program]; an [Engine] runs it, and command lines and servers read it. It must not be changed, but
// [Program.WithContext] and [Program.Through] return a program like it.
package compiled
