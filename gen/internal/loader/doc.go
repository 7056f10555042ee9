// Package loader loads a project: it finds the files at its top, reads the config and the prices, and lets each format find, read
// and lower its own.
//
// Input: a file system whose root is the project folder. Output: a program in which every name that was written is resolved where
// it can be, and every mistake of the user in a [diag.List]. An error is for input and output only.
//
//	agentc.yaml, tama.toml     the config; of two, agentc.yaml counts, and both are validated
//	prices.yaml                what models cost
//	FILE                       a script or a recording that a model names as script:FILE or replay:FILE
//	agents, skills             package agentmd
//	workflows                  package statemachine
//
// Entries that begin with a dot are not looked at. Symbolic links to folders and files are followed, one level deep, so they cannot
// make a circle, and none that leads out of the project; a script file must not be reached through one, since its text is compiled
// in by name. A file whose name differs from what is read only in case, or in .yml for .yaml, is reported.
package loader
