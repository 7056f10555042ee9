// Package gopkg examines the user's Go: the module of a project and its requirements, and the
// package main that runs the project.
//
// Input: a folder. Output: facts. The package asks the go command, also through
// golang.org/x/tools/go/packages, which takes a moment. So only run, build, init and add use it,
// and init and add also work without a go command. The package decides from the source alone
// whether a package main is an agent program, without compiling anything.
package gopkg
