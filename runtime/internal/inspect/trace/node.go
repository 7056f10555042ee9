package trace

import (
	"time"

	"github.com/agentc-dev/agentc/runtime/servers/client"
)

// Kind is the kind of a node of the tree.
type Kind string

// The kinds of nodes. Model to Parallel are effects.
const (
	Agent    Kind = "agent"  // a run of an agent, Name
	State    Kind = "state"  // a state of Machine, Name, on its Visit
	Branch   Kind = "branch" // a branch of a group, Name is its number
	Model    Kind = "model"
	Tool     Kind = "tool"
	Call     Kind = "call"
	Guard    Kind = "guard"
	Ask      Kind = "ask"
	Sleep    Kind = "sleep"
	Parallel Kind = "parallel"
	Decision Kind = "decision" // a step of a machine
	Finish   Kind = "finish"   // how an agent ended
	Step     Kind = "step"     // a value of a workflow's step
	Repair   Kind = "repair"
	Budget   Kind = "budget"
	Resume   Kind = "resume" // where a process began to work on the run
	Error    Kind = "error"
)

// Node is a place of the tree. Which fields are set depends on the kind. Its JSON is what the script of a page reads.
type Node struct {
	Kind     Kind    `json:"kind"`
	Name     string  `json:"name,omitempty"`
	Children []*Node `json:"-"`

	// Address is an effect's.
	Address string `json:"address,omitempty"`
	// Begun and Ended are when an effect's newest intent and its result were recorded; zero without.
	Begun time.Time `json:"-"`
	Ended time.Time `json:"-"`
	// Attempts is how many intents an effect has; more than one if a process died in between, or the effect was tried again.
	Attempts int `json:"attempts,omitempty"`
	// Earlier are the problems of an effect that was tried again.
	Earlier []string  `json:"earlier,omitempty"`
	Retries []Retried `json:"retries,omitempty"`
	// Args is what a tool or function was given, Value what came of it, or an agent's value, or an answer; Text is what a model
	// said, or what a person was asked.
	Args  string `json:"args,omitempty"`
	Value string `json:"value,omitempty"`
	Text  string `json:"text,omitempty"`
	// Problem is why there is no value, Type the type of that error.
	Problem string `json:"problem,omitempty"`
	Type    string `json:"type,omitempty"`

	// Model is provider:model as it answered; In and Out are tokens and Cost micro-dollars. Calls are the tools that it called.
	Model string `json:"model,omitempty"`
	In    int    `json:"in,omitempty"`
	Out   int    `json:"out,omitempty"`
	Cost  int64  `json:"cost,omitempty"`
	// Estimated reports whether tokens and cost are estimates, because the model's provider did not
	// count.
	Estimated bool `json:"estimated,omitempty"`
	// ListPrices is the day of the list prices from which a part of the cost was computed; "" if none was.
	ListPrices string   `json:"list_prices,omitempty"`
	Calls      []Called `json:"calls,omitempty"`
	Stop       string   `json:"stop,omitempty"`
	// Thoughts is what the model thought before it answered, where its provider keeps that; "" without.
	Thoughts string `json:"thoughts,omitempty"`

	// By is who answered, Choices what there was to choose from, Schema the JSON Schema of the answer, Channel the way to ask.
	By      string   `json:"by,omitempty"`
	Channel string   `json:"channel,omitempty"`
	Choices []string `json:"choices,omitempty"`
	Schema  string   `json:"schema,omitempty"`

	// Machine, Key, From, To, Matched, Visit and Guards describe a decision or a state. Owner is
	// the agent that the machine belongs to.
	Machine string    `json:"machine,omitempty"`
	Owner   string    `json:"-"`
	Key     string    `json:"key,omitempty"`
	From    string    `json:"from,omitempty"`
	To      string    `json:"to,omitempty"`
	Matched string    `json:"matched,omitempty"`
	Visit   int       `json:"visit,omitempty"`
	Guards  []Verdict `json:"guards,omitempty"`

	// Synthetic reports whether a finish was not the model's own.
	Synthetic bool `json:"synthetic,omitempty"`

	// Due is when the time of a question is over; zero without a limit. IsTimer reports whether no
	// person is asked, and the run waits until Due.
	Due     time.Time `json:"-"`
	IsTimer bool      `json:"-"`

	// Question is the one that waits for an answer here; nil if none does.
	Question *client.Question `json:"-"`

	// asked and answered are when a question was asked first, and when it was answered.
	asked, answered time.Time
	// reported reports whether the event of a tool has been seen.
	reported bool
	// caller is the agent of a tool or a question.
	caller string
	// unknown is set of a call of which it has to be asked whether it has happened, if nothing is known of its end.
	unknown *interruption
	// unchecked reports whether the answer was recorded without the program, which knows what fits.
	unchecked bool
}

// Retried is an attempt of an effect that failed and was repeated at once.
type Retried struct {
	Attempt int
	Problem string
	Wait    string
	// Model is the one that was asked instead; "" where the same was asked again.
	Model string
}

// Called is a call of a tool as a model made it.
type Called struct {
	Name string `json:"name"`
	Args string `json:"args,omitempty"`
}

// Verdict is what a guard said.
type Verdict struct {
	Guard  string `json:"guard"`
	OK     bool   `json:"ok"`
	Reason string `json:"reason"`
}

// Open reports whether an effect has begun and has no result.
func (n *Node) Open() bool { return n.Attempts > 0 && n.Ended.IsZero() }

// Took is how long an effect took; 0 if that is not known.
func (n *Node) Took() time.Duration {
	if n.Begun.IsZero() || n.Ended.IsZero() {
		return 0
	}

	return max(n.Ended.Sub(n.Begun), 0)
}

// visitAll visits a node and those below it.
func (n *Node) visitAll(visit func(*Node)) {
	visit(n)
	for _, child := range n.Children {
		child.visitAll(visit)
	}
}

func (n *Node) addChild(child *Node) *Node {
	n.Children = append(n.Children, child)

	return child
}
