// Package unknown has the words of questions about effects that may or may not have happened before a run was
// interrupted: see event.UnknownEffect.
package unknown

// Question returns the id of the question about an effect of that name.
func Question(name string) string { return "unknown:" + name }

// The answers to a question.
const (
	Again = "again" // it is called again
	Skip  = "skip"  // the run continues without a result
	Fail  = "fail"  // the run fails
	Done  = "done"  // it has happened: a space and its result follow
)

// Function is the kind of an effect that is not a tool.
const Function = "function"
