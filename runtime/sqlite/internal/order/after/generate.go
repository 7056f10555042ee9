//go:generate go run -C ../../../../.. ./cmd/agentc generate runtime/sqlite/internal/order/after

// Package after has a machine that tests store in a database, after a state was added to it.
package after
