package errs

import (
	"fmt"
	"time"
)

// OvertimeError leaves a step of a workflow whose time is over, from whatever is under way inside of
// it. It ends what it passes, as the error of a budget does, up to that step, which handles it.
type OvertimeError struct {
	// Workflow and Step name the step.
	Workflow, Step string
	// After is the limit.
	After time.Duration
}

func (e *OvertimeError) Error() string {
	return fmt.Sprintf("step %q of workflow %q took longer than %s", e.Step, e.Workflow, e.After)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*OvertimeError) ErrorType() string { return "OvertimeError" }

// EndsRun reports that nothing inside of the step handles the error; see runtime.EndsRun.
func (*OvertimeError) EndsRun() bool { return true }
