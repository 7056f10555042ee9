package temporal

// ErrorOf is the error as it was before Temporal encoded it.
var ErrorOf = errorOf

const (
	AnswerUpdate = answerUpdate
)

type (
	Answer = answer
	Input  = input
	Output = output
)

var (
	WorkflowType = workflowType
)
