//go:generate go run -C ../../../../.. ./cmd/agentc generate runtime/sqlite/internal/order/before

// Package before has a machine that tests store in a database, before a state was added to it.
package before
