//go:generate go run -C ../../../.. ./cmd/agentc generate runtime/temporal/internal/office

// Package office is a project whose guards and functions the tests of package temporal have carried out by workers.
package office
