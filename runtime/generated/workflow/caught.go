package workflow

import "github.com/agentc-dev/agentc/runtime"

// The members of [Run.CaughtError].
const (
	errorMessage = "message"
	errorType    = "type"
	errorStep    = "step"
)

// CaughtError is the newest failure that was handled where the run is: in a fallback that of the
// step that it replaces, and in a machine that of the newest state that failed. It is an object with
// the members message, type and step, and none if nothing has failed.
func (r *Run) CaughtError() Value { return r.caught }

// SetCaughtError sets the failure that is handled where the run is. It is for simulations.
func (r *Run) SetCaughtError(caught Value) { r.caught = caught }

// DescribeError returns the message, the type and the step of an error. The message of a failed
// step is the message of its cause, because the step is a member of its own, and that of a function
// is what the function has said.
func DescribeError(err error) Value {
	err = unwrapReported(err)
	kind, step := runtime.ErrorType(err), ""
	if failed, isStep := err.(*stepError); isStep {
		err, step = failed.Err, failed.Step
	}
	message := err.Error()
	if failed, isFunc := unwrapReported(err).(*funcError); isFunc {
		message = failed.ownText()
	}

	return Object(
		Member{Name: errorMessage, Value: Text(message)}, Member{Name: errorType, Value: Text(kind)},
		Member{Name: errorStep, Value: Text(step)})
}
