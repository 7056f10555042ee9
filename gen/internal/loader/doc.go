// Package loader loads a project. It finds the files at the top of the project, reads the config
// and the prices, and lets each format find, read and lower its own files.
//
// Input: a file system whose root is the project folder. Output: a program with every name resolved
// that can be resolved, and all mistakes of the user in a [diag.List]. Errors are only for input
// and output.
//
//	agentc.yaml, tama.toml     the config; if both exist, both are validated and agentc.yaml is used
//	prices.yaml                the prices of models
//	FILE                       a script or a recording that a model names as script:FILE or replay:FILE
//	agents, skills             package agentmd
//	workflows                  package statemachine
//
// The loader ignores entries that begin with a dot. It follows symbolic links to folders and files
// one level deep, so that they cannot form a cycle, but none that leads out of the project. A
// script must not be reached through a link, because its text is compiled in under its name. A file
// whose name differs from an expected one only in case, or by .yml for .yaml, is reported.
package loader
