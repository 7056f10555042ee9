package recording

import (
	"fmt"
	"strconv"
)

// FormatError means that a file, or a text that was compiled in, is not a recording, or that a line cannot be read.
type FormatError struct {
	// Path is the file; "" if it is not known.
	Path string
	// Line is the line, 1-based.
	Line    int
	Problem string
	Err     error
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("%s, line %d: %s", recordingName(e.Path), e.Line, e.Problem)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*FormatError) ErrorType() string { return "FormatError" }

func (e *FormatError) Unwrap() error { return e.Err }

// ProgramError means that a recording is of another program; nothing is added to it.
type ProgramError struct {
	Path string
	// Recorded is the program of the recording, and Program the current one.
	Recorded, Program string
}

func (e *ProgramError) Error() string {
	return fmt.Sprintf("%s is a recording of program %q, and nothing of %q is added to it: choose another file", recordingName(e.Path), e.Recorded, e.Program)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*ProgramError) ErrorType() string { return "ProgramError" }

// BusyError means that another process, or another part of this one, is writing the recording.
type BusyError struct {
	Path string
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is being recorded already: two cannot write one recording at a time", recordingName(e.Path))
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*BusyError) ErrorType() string { return "BusyError" }

// writeError means that a recording could not be written. What it contained before can be read.
type writeError struct {
	Path string
	Err  error
}

func (e *writeError) Error() string {
	return fmt.Sprintf("%s could not be recorded: %v", recordingName(e.Path), e.Err)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*writeError) ErrorType() string { return "WriteError" }

func (e *writeError) Unwrap() error { return e.Err }

// MissError means that a recording does not have a request. No model was called.
type MissError struct {
	Path string
	// Agent is the agent that asks, At the address of the call, and Model the model to call: provider:model, "" if
	// that is not known.
	Agent, At, Model string
	// Line is the line of the most similar request in the recording, and Diff compares the two: lines with - are
	// recorded, lines with + are of the request. 0 and "" if the recording has no requests.
	Line int
	Diff string
}

func (e *MissError) Error() string {
	text := fmt.Sprintf("%s has no reply to what agent %q asks", recordingName(e.Path), e.Agent)
	if e.Line == 0 {
		return text + ": it holds no requests"
	}

	return text + "; the request of line " + strconv.Itoa(e.Line) + " is the nearest (- recorded, + asked):\n" + e.Diff
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (e *MissError) ErrorType() string { return "MissError" }

// EndsRun reports true: the recording does not match the program, which no other branch can make up for.
func (e *MissError) EndsRun() bool { return true }

// SpentError means that a recording has a request, but all replies to it have been used.
type SpentError struct {
	Path      string
	Agent, At string
	// Line is the line of the last of them, and Times their number.
	Line, Times int
}

func (e *SpentError) Error() string {
	replies := "the one reply"
	if e.Times != 1 {
		replies = fmt.Sprintf("all %d replies", e.Times)
	}

	return fmt.Sprintf("agent %q asks once more what %s has played %s to, the last in line %d", e.Agent, recordingName(e.Path), replies, e.Line)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (e *SpentError) ErrorType() string { return "SpentError" }

// EndsRun reports true: no other branch can make up for the error.
func (e *SpentError) EndsRun() bool { return true }

// recordingName returns the name of a recording in messages.
func recordingName(path string) string {
	if path == "" {
		return "the recording"
	}

	return path
}
