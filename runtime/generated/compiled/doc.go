// Package compiled describes a compiled project to programs: its agents and how to run them, its tools, models,
// scripts, prices and limits.
//
// Generated code builds a [Program], which App.Program returns; an [Engine] executes it, and command lines and
// servers read it. A Program must not be changed; [Program.WithContext] and [Program.Through] return changed copies.
package compiled
