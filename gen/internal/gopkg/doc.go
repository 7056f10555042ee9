// Package gopkg looks at the user's Go: which module a project is in, which package main is its program, and what is
// missing for the generated interface Tools.
//
// Input: a folder. Output: facts, and diagnostics of check unimplemented-tool. It asks the go command and the type checker
// through golang.org/x/tools/go/packages, which takes a moment: only run, build and generate --check do.
package gopkg
