// Package orchestrate is a workflow: three phases that are steps of a machine, two of them workflows of their own, with a
// guard, a person who decides and a row for whatever fails.
package orchestrate

//go:generate go tool agentc generate .
