// Package command is the program agentc as a function. Each command is a file of its own, and their table is in main.go.
// Everything that is compiled goes through gen.Compile, everything that is written into a project through gen/internal/output.
package command
