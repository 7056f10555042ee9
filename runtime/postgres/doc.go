// Package postgres keeps the journals of runs in a PostgreSQL database, which servers on several machines can share. A project has it by
// a line of its agentc.yaml:
//
//	store: postgres://app:${DB_PASSWORD}@db.internal/app
//
// and a Go program by [Open].
package postgres
