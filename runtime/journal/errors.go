package journal

import "fmt"

// What a store reports about a run; mostly inside of a [RunError].
var (
	ErrRunExists  error = &runProblem{"RunExistsError", "it exists already"}
	ErrRunLocked  error = &runProblem{"RunLockedError", "another process works on it"}
	ErrUnknownRun error = &runProblem{"UnknownRunError", "there is no such run"}
	ErrRunName    error = &runProblem{"RunNameError",
		"a run's name is 1 to 64 letters, digits, - and _, with no - at the beginning, and no name of a device such as con"}
	// ErrNotBegun is a journal without a record: its process died before the first was on the disk, so nothing was done either.
	ErrNotBegun error = &runProblem{"NotBegunError", "it was never begun: its process died before its first record was kept"}
)

// runProblem is one of the errors above.
type runProblem struct{ code, text string }

func (p *runProblem) Error() string { return p.text }

// ErrorType is the code of the error; see runtime.ErrorType.
func (p *runProblem) ErrorType() string { return p.code }

// RunError is one of the errors above, with the run that it is about.
type RunError struct {
	Run string
	Err error
}

func (e *RunError) Error() string { return fmt.Sprintf("run %s: %v", e.Run, e.Err) }

// Unwrap returns what is the matter with the run.
func (e *RunError) Unwrap() error { return e.Err }

// StoreError is a step of a store that failed: the disk is full, the folder read-only. What was on the disk before stays there.
type StoreError struct {
	// Op is what was done, such as "write" or "sync", Path to what.
	Op, Path string
	Err      error
}

func (e *StoreError) Error() string {
	const text = "the run could not be recorded: %s %s: %v (--store DIR records in another folder, --store none nowhere)"

	return fmt.Sprintf(text, e.Op, e.Path, e.Err)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*StoreError) ErrorType() string { return "StoreError" }

// Unwrap returns what the system said.
func (e *StoreError) Unwrap() error { return e.Err }

// DamagedError is a journal that is not as it was written, and not only torn at its end.
type DamagedError struct {
	Run string
	// Offset is where the first block begins that is damaged.
	Offset int64
	// Problem says what is wrong, as a clause.
	Problem string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the journal of run %s is damaged at byte %d: %s", e.Run, e.Offset, e.Problem)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*DamagedError) ErrorType() string { return "DamagedError" }

// FormatError is a journal of another version of agentc.
type FormatError struct {
	Run string
	// Have is the format of the journal, Known the one that can be read here.
	Have, Known int
}

func (e *FormatError) Error() string {
	age := "a newer"
	if e.Have < e.Known {
		age = "an older"
	}

	return fmt.Sprintf("the journal of run %s has format %d, and this program reads format %d: %s agentc wrote it", e.Run, e.Have, e.Known, age)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*FormatError) ErrorType() string { return "FormatError" }
