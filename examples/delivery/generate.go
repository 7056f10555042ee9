//go:generate go run -C ../.. ./cmd/agentc generate examples/delivery

package main
