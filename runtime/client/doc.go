// Package client has the shape of a run: what it looks like to those who start, list, read and answer runs, over HTTP, in the output of
// commands, and in Go. The README has a table of its members.
package client
