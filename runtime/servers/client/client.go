package client

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
)

// Client starts runs, and shows, answers, cancels and watches them, on behalf of one caller. It is
// safe for concurrent use. There are two: serve.Server.Client is for a service that has the server
// in itself, and httpclient.New for a server that is reached over HTTP. Both return the same runs
// and the same errors, with the codes of [runtime.ErrorType]: UnknownRunError, RightError and so
// on. In the same process errors.As finds the error itself, too.
type Client interface {
	// Start starts a run in the background, and returns when its start is recorded. Errors: RunExistsError for an id
	// that there is, UnknownAgentError, InputError, ContextError, TooManyRunsError, ClosingError, RightError, and what a run
	// cannot begin without: MissingModelError, KeyError, MissingEnvError.
	Start(ctx context.Context, in Start) (*Run, error)
	// List returns a part of the list of runs. Errors: QueryError.
	List(ctx context.Context, in List) (*Runs, error)
	// Get returns a run. Errors: UnknownRunError, also for a run that the caller may not see.
	Get(ctx context.Context, run string) (*Run, error)
	// Answer records an answer to a question and resumes the run in the background, unless Resume is false. A run that
	// was answered and could not be resumed has a Problem. Errors: AnswerError for an answer that does not fit,
	// AnsweredError for a second one, UnknownQuestionError, UnknownRunError, IdentityError, RightError.
	Answer(ctx context.Context, in Reply) (*Run, error)
	// Cancel ends a run at its next safe point or, called again, at once. Errors: RunEndedError, UnknownRunError,
	// RightError.
	Cancel(ctx context.Context, run string) (*Run, error)
	// Watch returns the events of a run, the recorded ones and the following, until no process
	// works on the run any more: it waits for an answer, or has ended. The last pair has an error
	// if the sequence has ended before that.
	Watch(ctx context.Context, in Watch) iter.Seq2[event.Event, error]
}

// Start is what a run is started with.
type Start struct {
	Agent   string          `json:"agent,omitempty" doc:"the agent or workflow to run; without it the program's entry point"`
	Input   string          `json:"input" doc:"the task"`
	Context json.RawMessage `json:"context,omitempty" doc:"the initial context of a workflow, an object"`
	Run     string          `json:"run,omitempty" doc:"the id that the run is to have: 1 to 64 letters, digits, - and _, with no - at the beginning, and neither last nor the name of a device of Windows such as con; without it one is made up. A request that is repeated with the same id starts nothing twice"`
}

// List selects the runs of a list. The zero List has the newest 100.
type List struct {
	Status Status
	Agent  string
	// Since is when they were started at the earliest.
	Since time.Time
	// Search is a text that they have in their id, agent, input, questions, result or problem, in upper or lower case.
	Search string
	// Before is the Next of the part of the list before.
	Before string
	// Limit is how many runs the list has at most, up to 1000; 0: 100.
	Limit int
}

// Reply is an answer to a question.
type Reply struct {
	Run      string      `json:"-"`
	Question string      `json:"question" doc:"the question's id"`
	Address  string      `json:"address,omitempty" doc:"the question's address: where two open questions have one id, and to be sure that it is the question that was read"`
	Value    AnswerValue `json:"value" doc:"the answer: a string, or any JSON if the question has a schema; of a question with an effect again, skip, fail, or {\"done\": RESULT} if the call has happened"`
	By       string      `json:"by,omitempty" doc:"who answers; where tokens are needed, it is the name of the token's holder"`
	// Resume is nil for true.
	Resume *bool `json:"resume,omitempty" doc:"false only records the answer; without it the run goes on"`
}

// AnswerValue is an answer as text. In JSON it is a string, or any other value, which then is the text of its JSON.
type AnswerValue string

// UnmarshalJSON implements json.Unmarshaler.
func (v *AnswerValue) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		text = string(data)
	}
	*v = AnswerValue(text)

	return nil
}

// Watch selects the events of a run.
type Watch struct {
	Run string
	// From is the number of the first event; 0: the first of all.
	From int
}
