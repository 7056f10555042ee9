// Package postgres stores the journals of runs in a PostgreSQL database, which servers on several machines can share.
// A project selects it by a line of its agentc.yaml:
//
//	store: postgres://app:${DB_PASSWORD}@db.internal/app
//
// A Go program sets engine.Options.Store to the store that [Open] returns.
package postgres
