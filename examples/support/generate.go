// Package support is a help desk: a triage with an escalation loop, nested machines whose last key routes the outer one, a
// terminal in which an agent runs and one that is a marker, and one agent, review, that stands in three places with
// three different sets of keys.
package support

//go:generate go tool agentc generate .
