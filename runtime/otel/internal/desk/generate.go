//go:generate go run -C ../../../.. ./cmd/agentc generate runtime/otel/internal/desk

// Package desk is the project whose binary the tests of package otel run.
package desk
