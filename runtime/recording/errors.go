package recording

import (
	"fmt"
	"strconv"
)

// FormatError is a file, or a text that was compiled in, that is no recording, or that has a line which cannot be read.
type FormatError struct {
	// Path is the file; "" where nobody has said it.
	Path string
	// Line is counted from 1.
	Line    int
	Problem string
	Err     error
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("%s, line %d: %s", named(e.Path), e.Line, e.Problem)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*FormatError) ErrorType() string { return "FormatError" }

func (e *FormatError) Unwrap() error { return e.Err }

// ProgramError is a recording of another program, to which nothing is added.
type ProgramError struct {
	Path string
	// Recorded is the program of the recording, Program the one at hand.
	Recorded, Program string
}

func (e *ProgramError) Error() string {
	return fmt.Sprintf("%s is a recording of program %q, and nothing of %q is added to it: choose another file", named(e.Path), e.Recorded, e.Program)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*ProgramError) ErrorType() string { return "ProgramError" }

// BusyError is a recording that another process, or another part of this one, is writing.
type BusyError struct {
	Path string
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is being recorded already: two cannot write one recording at a time", named(e.Path))
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*BusyError) ErrorType() string { return "BusyError" }

// WriteError is a recording that could not be written. What it had before can be read.
type WriteError struct {
	Path string
	Err  error
}

func (e *WriteError) Error() string {
	return fmt.Sprintf("%s could not be recorded: %v", named(e.Path), e.Err)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*WriteError) ErrorType() string { return "WriteError" }

func (e *WriteError) Unwrap() error { return e.Err }

// MissError is a request that a recording does not have. Nobody was asked.
type MissError struct {
	Path string
	// Agent is who asks, At the address of the call, Model what it would have asked: provider:model, "" if that is not known.
	Agent, At, Model string
	// Line is that of the request in the recording that is most like it, and Diff compares the two: lines with - are recorded, lines
	// with + are asked. 0 and "" in a recording without requests.
	Line int
	Diff string
}

func (e *MissError) Error() string {
	text := fmt.Sprintf("%s has no reply to what agent %q asks", named(e.Path), e.Agent)
	if e.Line == 0 {
		return text + ": it holds no requests"
	}

	return text + "; the request of line " + strconv.Itoa(e.Line) + " is the nearest (- recorded, + asked):\n" + e.Diff
}

// ErrorType is the error's name in events.
func (e *MissError) ErrorType() string { return "MissError" }

// EndsRun says that no other branch makes up for the error: the recording and the program do not fit.
func (e *MissError) EndsRun() bool { return true }

// SpentError is a request that a recording has, and whose replies have all been played.
type SpentError struct {
	Path      string
	Agent, At string
	// Line is where the last of them stands, Times how many there are.
	Line, Times int
}

func (e *SpentError) Error() string {
	replies := "the one reply"
	if e.Times != 1 {
		replies = fmt.Sprintf("all %d replies", e.Times)
	}

	return fmt.Sprintf("agent %q asks once more what %s has played %s to, the last in line %d", e.Agent, named(e.Path), replies, e.Line)
}

// ErrorType is the error's name in events.
func (e *SpentError) ErrorType() string { return "SpentError" }

// EndsRun says that no other branch makes up for the error.
func (e *SpentError) EndsRun() bool { return true }

// named is how a recording is called in messages.
func named(path string) string {
	if path == "" {
		return "the recording"
	}

	return path
}
