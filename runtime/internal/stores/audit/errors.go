package audit

import (
	"errors"
	"fmt"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
)

// StoreError is a step with files that failed: the disk is full, the folder read-only. What was to
// be recorded has not happened.
type StoreError files.StepError

func (e *StoreError) Error() string {
	return "the record could not be kept: " + (*files.StepError)(e).Error()
}

// storeError makes the error of a step one of this package.
func storeError(err error) error {
	if step := (*files.StepError)(nil); errors.As(err, &step) {
		return (*StoreError)(step)
	}

	return err
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*StoreError) ErrorType() string { return "StoreError" }

// Unwrap returns what the system said.
func (e *StoreError) Unwrap() error { return e.Err }

// LockError is a folder that another process holds, or stops in, for too long.
type LockError struct {
	Path string
	Wait time.Duration
}

func (e *LockError) Error() string {
	return fmt.Sprintf("%s: another process has held the lock for %v", e.Path, e.Wait)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*LockError) ErrorType() string { return "LockError" }

// DamagedError is a record that is not as it was written.
type DamagedError struct {
	// Path is the file; "" if it was read from elsewhere.
	Path string
	// Line counts from 1; Offset is the offset of its first byte. Both are 0 if the fault is no
	// line's.
	Line   uint64
	Offset int64
	// Seq is the number that the line should have.
	Seq uint64
	// Problem is what is wrong, as a clause.
	Problem string
}

func (e *DamagedError) Error() string {
	text := ""
	if e.Path != "" {
		text = e.Path + ": "
	}
	if e.Line == 0 {
		return text + e.Problem
	}

	return fmt.Sprintf("%sline %d (at byte %d): %s", text, e.Line, e.Offset, e.Problem)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*DamagedError) ErrorType() string { return "DamagedError" }
