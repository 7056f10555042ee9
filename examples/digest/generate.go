//go:generate go tool agentc generate .

package main
