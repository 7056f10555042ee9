package journal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// Errors of a store about a run, usually wrapped with its name.
var (
	ErrRunExists  error = &errs.Coded{Code: "RunExistsError", Text: "it exists already"}
	ErrRunLocked  error = &errs.Coded{Code: "RunLockedError", Text: "another process works on it"}
	ErrUnknownRun error = &errs.Coded{Code: "UnknownRunError", Text: "there is no such run"}
	// ErrNotBegun means that a journal has no record: its process died before the first was on disk, and so before it
	// did anything.
	ErrNotBegun error = &errs.Coded{
		Code: "NotBegunError", Text: "it was never begun: its process died before its first record was kept",
	}
)

// errRunName means that no run can have a name: the error of an unknown run.
var errRunName = &errs.Coded{
	Code: "RunNameError", Err: ErrUnknownRun,
	Text: "a run's name is 1 to 64 letters, digits, - and _, with no - at the beginning, and neither last nor a name of a device such as con",
}

// runError is one of the errors above for a run.
func runError(run string, err error) error { return fmt.Errorf("run %s: %w", run, err) }

// tornError is the torn end of a journal.
type tornError struct {
	run           string
	offset, bytes int
	problem       string
}

func (e *tornError) Error() string {
	return fmt.Sprintf("the journal of run %s ends in %d bytes, from byte %d, that were not written whole (%s)", e.run, e.bytes, e.offset, e.problem)
}

// StoreError means that an operation of a store failed: the disk is full, the folder read-only, or the file no database.
// What was on disk before remains.
type StoreError struct {
	// Op is the operation, such as "open", "write" or "sync", and Path the file, or the store.
	Op, Path string
	Err      error
}

func (e *StoreError) Error() string {
	step := (*files.StepError)(e).Error()
	switch {
	case e.Op == opOpen:
		return fmt.Sprintf("the store cannot be opened: %s (--store names another one)", strings.TrimPrefix(step, opOpen+" "))
	case slices.Contains(readingOps, e.Op):
		return fmt.Sprintf("the store cannot be read: %s (--store names another one)", step)
	}

	return fmt.Sprintf("the run could not be recorded: %s (--store DIR records in another folder, --store none nowhere)", step)
}

// opOpen is the operation with which the use of a store begins, readingOps are those that record nothing.
const opOpen = "open"

var readingOps = []string{"read", "look at", "list", "read the messages of"}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*StoreError) ErrorType() string { return "StoreError" }

// Unwrap returns the error of the operating system.
func (e *StoreError) Unwrap() error { return e.Err }

// DamagedError means that a journal is not as it was written, and not only torn at its end.
type DamagedError struct {
	Run string
	// Offset is the beginning of the first damaged block, in bytes.
	Offset int64
	// Problem is what is wrong, as a clause.
	Problem string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the journal of run %s is damaged at byte %d: %s", e.Run, e.Offset, e.Problem)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*DamagedError) ErrorType() string { return "DamagedError" }

// FormatError means that another version of agentc wrote the journal.
type FormatError struct {
	Run string
	// Have is the format of the journal, and Known the one that this version reads.
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
