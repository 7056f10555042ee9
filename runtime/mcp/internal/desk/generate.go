//go:generate go run -C ../../../.. ./cmd/agentc generate runtime/mcp/internal/desk

// Package desk is the project that the tests of package mcp serve.
package desk
