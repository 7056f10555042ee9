// Package tools executes the built-in tools for files, http and the shell. A model can only reach what the project
// has turned on, by default nothing. Each kind of tools is a package of its own, so that a binary contains only
// those that its project names. The memory tools are not in this package: they belong to the engine, which records
// each write.
//
// A problem, for the model to fix, is part of a tool's result. An error ends the run: the run is cancelled, or the
// tool is turned off, which no model can fix.
package tools
