package client

import (
	"fmt"
	"strings"
)

// startError means that a server cannot be used: it does not start, does not answer, or does not speak the protocol.
type startError struct {
	Server string
	// At is the command or the URL.
	At  string
	Err error
	// Said is the end of the command's output that is not a message, without secrets.
	Said string
}

func (e *startError) Error() string {
	text := fmt.Sprintf("MCP server %q (%s): %v", e.Server, e.At, e.Err)
	if e.Said != "" {
		text += "; it wrote:\n" + indented(e.Said)
	}

	return text
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*startError) ErrorType() string { return "StartError" }

// Unwrap returns the cause.
func (e *startError) Unwrap() error { return e.Err }

// authError means that a server requires a login, or refuses the credentials that it received. A run never waits for
// a person to log in.
type authError struct {
	Server, URL string
	// Status is the HTTP status: 401 or 403.
	Status int
	// Challenge is what the server answers about how to log in; "" for nothing.
	Challenge string
	// Variables are the environment variables of the headers that were sent, sorted; none if none was.
	Variables []string
}

func (e *authError) Error() string {
	text := fmt.Sprintf("MCP server %q (%s) wants authorization: status %d", e.Server, e.URL, e.Status)
	if e.Challenge != "" {
		text += ", " + e.Challenge
	}
	if len(e.Variables) > 0 {
		return text + "; it did not take the value of " + strings.Join(e.Variables, ", ")
	}

	return text + `; there is no person here to log in: send a token of yours, headers: {Authorization: "Bearer ${NAME}"}`
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*authError) ErrorType() string { return "AuthError" }

// driftError means that the tools of a server differ from their pins.
type driftError struct {
	Server string
	// Tools are the tools that differ, in the order of the pins.
	Tools []toolDrift
}

// toolDrift is a tool that differs from its pin.
type toolDrift struct {
	// Tool is its name at the server.
	Tool string
	// Changes say what differs, each in a few words.
	Changes []string
}

func (e *driftError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "MCP server %q does not offer what agentc.lock says; look at the changes, and then run agentc mcp pin:", e.Server)
	for _, t := range e.Tools {
		for _, change := range t.Changes {
			fmt.Fprintf(&b, "\n  %s: %s", t.Tool, change)
		}
	}

	return b.String()
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*driftError) ErrorType() string { return "DriftError" }

// endedError means that a server has ended too often during calls.
type endedError struct {
	Server string
	Times  int
	Err    error
}

func (e *endedError) Error() string {
	return fmt.Sprintf("MCP server %q has ended %d times while it was called, and is not started again: %v", e.Server, e.Times, e.Err)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*endedError) ErrorType() string { return "EndedError" }

// Unwrap returns how it ended the last time.
func (e *endedError) Unwrap() error { return e.Err }

func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
}
