// Package sqlite keeps the journals of runs in a SQLite file, for the processes of one machine. A project has it by a line of its
// agentc.yaml:
//
//	store: sqlite:runs.db
//
// and a Go program by [Open]. The package needs no C compiler.
package sqlite
