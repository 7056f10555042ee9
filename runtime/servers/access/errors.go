package access

import (
	"fmt"
	"strings"
)

// RightError means that a caller is known, and its token does not permit what it asked for. Nothing has changed.
type RightError struct {
	// Caller is the name of the token.
	Caller string
	// Right is the right that the request needs.
	Right Right
	// Kind is "agent", "question" or "machine" if the token has the right for others than Value: for those that are
	// Permitted.
	Kind, Value string
	Permitted   []string
}

func (e *RightError) Error() string {
	if e.Kind == "" {
		return fmt.Sprintf("the token of %s does not have the right %q", e.Caller, e.Right)
	}

	return fmt.Sprintf("the token of %s has the right %q for the %ss %s, and not for %q",
		e.Caller, e.Right, e.Kind, strings.Join(e.Permitted, ", "), e.Value)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*RightError) ErrorType() string { return "RightError" }

// TokenError means that a request has no token, or one that is not known (any more).
type TokenError struct {
	// Problem completes the message; "" for a request over HTTP.
	Problem string
}

func (e *TokenError) Error() string {
	if e.Problem == "" {
		return "a bearer token is needed that the server knows"
	}

	return e.Problem
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*TokenError) ErrorType() string { return "TokenError" }

// FileError is a tokens file that cannot be used.
type FileError struct {
	// File is its name, and Line the line of the mistake, counted from 1; 0 if it is about the file as a whole.
	File    string
	Line    int
	Problem string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Problem
	}

	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*FileError) ErrorType() string { return "CredentialError" }
