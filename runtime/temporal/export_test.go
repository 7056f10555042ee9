package temporal

// Startable is what Start asks first.
var Startable = startable

const (
	AnswerUpdate = answerUpdate
)

type (
	Input  = input
	Output = output
)

var (
	WorkflowType = workflowType
)
