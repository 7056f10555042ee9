//go:generate go run -C ../.. ./cmd/agentc generate examples/researcher

package main
