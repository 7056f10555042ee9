// Package smartcritic is the smallest whole project: a machine of three agents and one marker, run from a script.
package smartcritic

//go:generate go tool agentc generate .
