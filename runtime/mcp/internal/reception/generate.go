//go:generate go run -C ../../../.. ./cmd/agentc generate runtime/mcp/internal/reception

// Package reception is a project with a skill whose tools an MCP server has: the tests of package client run it.
package reception
