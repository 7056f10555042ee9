//go:generate go run -C ../.. ./cmd/agentc generate examples/service

package main
