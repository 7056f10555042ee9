// Package sqlite stores the journals of runs in a SQLite file, for the processes of one machine. A project selects it
// by a line of its agentc.yaml:
//
//	store: sqlite:runs.db
//
// A Go program sets engine.Options.Store to the store that [Open] returns. The package needs no C compiler.
package sqlite
