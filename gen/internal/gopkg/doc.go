// Package gopkg looks at the user's Go: which module a project is in, what that requires, and which package main is its program.
//
// Input: a folder. Output: facts. It asks the go command, also through golang.org/x/tools/go/packages, which takes a moment: only
// run, build, init and add do, of which the last two also work where there is none. Whether a package main is an agent program it
// reads from the source, without compiling anything.
package gopkg
