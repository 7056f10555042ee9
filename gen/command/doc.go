// Package command is the program agentc as a function, [Main]. Each command has a file of its own,
// and main.go has their table. All compilation uses gen.Compile; everything that is written into a
// project is written by gen/internal/output.
package command
