package ir

import (
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Flow is an agent whose steps run one after another, in loops and beside each other. Every pattern becomes one that is
// neither a machine nor a single conversation: a machine has no groups that run beside each other and no value but the
// last one, which critic (the refinement needs the draft and the critique), debate or plan-execute could not do with.
type Flow struct {
	// Kind is the pattern as written.
	Kind string
	// Steps are the flow's own conversations in the order in which they are first run: the body of AGENT.md, if it is a
	// prompt in this pattern, and the step files.
	Steps []*Step
	// Body is what happens, first to last. It ends with a Return on every path.
	Body []Op
	// Partial says that something in the flow was reported while it was read, so that steps, agents or operations may be
	// missing.
	Partial bool
}

// Pattern returns the pattern's name.
func (f *Flow) Pattern() string { return f.Kind }

// Step is one conversation of a flow.
type Step struct {
	// Name is the step file's name without .md; empty for the body of AGENT.md.
	Name Text
	File *source.File
	// PatternAt is as in [Agent]; the zero Text when the step does not say.
	PatternAt Text
	Prompt    Text
	// Template is the prompt where it has placeholders that a run fills in, which only prompts of workflows may have; else nil.
	Template *Template
	// Timeout bounds each call of the model; 0: no bound.
	Timeout time.Duration
	// Call is the step's own, completed from AGENT.md.
	Call Call
	// Node is *React or *Oneshot.
	Node Node
}

// Label is how scripts and events call the step of an agent: agent/step, or the agent itself for its body.
func (s *Step) Label(agent string) string {
	if s.Name.Value == "" {
		return agent
	}

	return agent + "/" + s.Name.Value
}

// AgentRef is a reference to an agent: the name as written, and the agent or nil.
type AgentRef struct {
	Text
	Agent *Agent
}

// Op is an operation. A flow and a workflow are trees of them, all of whose nodes [Walk] visits; each kind is declared with its fields here or
// with the workflows. Operations of flows that give a result name it; the names are Go identifiers that the front end chooses,
// never text of a source file.
type Op interface{ op() }

// Run runs a step or an agent.
type Run struct {
	// Var names the result. It is empty inside of a [Parallel], which names its own, and in a workflow.
	Var string
	// Step or Agent is what runs; the other one is nil. The value of an agent that a workflow runs is a text, or, where the
	// task's Type has the schema of something else, what the text says as JSON; of another workflow, its last step's output.
	Step  *Step
	Agent *AgentRef
	// Input is nil in a workflow, whose tasks have it.
	Input Expr `shape:"-"`
	// At says which keys are legal for it, which is nothing to a oneshot. It is never closed: a flow takes every key that it does
	// not know.
	At Place
}

// Parallel does branches side by side. Those of a flow run something each, or one of them runs as often as List or N says; those of a
// workflow have a copy of the context each, and the output is an object of theirs, by name.
type Parallel struct {
	// Branches have one [Run] each in a flow, and steps in a workflow.
	Branches []*Arm
	// Var names the results in a flow, and Limit is how many branches run at a time.
	Var   string
	Limit int `shape:"-"`
	// List, if it is not nil, has an item for each run, which Item names in the run's input.
	List *List
	Item string `shape:"-"`
	// N, if it is not 0, is the number of runs, and Title what a result is called, before its number.
	N     int
	Title string `shape:"-"`
	// Merge says what becomes of what the branches of a workflow write, and Reduce of their outputs.
	Merge  Merge
	Reduce Reduce
	// Ignore takes a failed branch as one without output; else it fails the step.
	Ignore bool
}

// Runs returns what the branches of a flow run.
func (p *Parallel) Runs() []*Run {
	return Map(p.Branches, func(arm *Arm) *Run { return arm.Body.Body[0].(*Run) })
}

// SideBySide returns branches that run something each.
func SideBySide(runs ...*Run) []*Arm {
	return Map(runs, func(run *Run) *Arm { return &Arm{Body: Sequence(run)} })
}

// List is a list that is read from a result.
type List struct {
	Kind ListKind
	// Of names the result of a run.
	Of string
}

// ListKind says how a list is written.
type ListKind uint8

// The kinds of lists.
const (
	ListItems  ListKind = iota + 1 // a JSON array
	ListPlan                       // a JSON array, or an array somewhere in a text, or one step
	ListClaims                     // a JSON array, or a line each
)

// ListRule says that what a step finishes with is a list, which is judged while its model can still be asked again.
type ListRule struct {
	Kind ListKind
	// Key is the key that comes with the list: with any other the value is none. Empty: the value is the list with every key,
	// as it is where no caller reads the key and in a oneshot.
	Key string
	// Max bounds the items.
	Max int `shape:"-"`
}

// Set gives a variable a value, which may be Notes; New says that it is declared here.
type Set struct {
	Var   string
	New   bool
	Value Expr
}

// Loop repeats its body. In a flow it does so for each item of List, one after another, if that is not nil, else Times times, or, with
// Times 0, until it returns. In a workflow it does so for each of Items, and gives the list of the outputs, or until Exit holds or Func
// says so: the first turn is given the step's data then, each other one the output of the turn before.
type Loop struct {
	Body *Pipeline
	// Counter counts from 1; it is empty where nothing reads it. Item names the item of List.
	Counter string `shape:"-"`
	Times   int
	List    *List
	Item    string `shape:"-"`
	// Items is nil but for a loop over a list in the context. Result, if it is not nil, is the step's output in place of the list of
	// outputs: `previous_step` in it is that list.
	Items  *ContextPath
	Result *Datum
	// Max is how many turns a loop of a workflow has at most: behind them it fails.
	Max   int `shape:"-"`
	MaxAt source.Span
	Exit  *Formula
	Func  *Func
}

// Each reports whether it is a loop over a list in the context.
func (l *Loop) Each() bool { return l.Items != nil }

// Branch does one of its branches: in a flow the only one, if Cond holds; in a workflow that of the key, which is the value of Key, or
// what Func answers, or the step's data when both are nil.
type Branch struct {
	Cond     Cond
	Key      *Formula
	Func     *Func
	Branches []*Arm
	// Default runs where no branch has the key; nil: the step fails.
	Default *Pipeline
}

// When returns a branch of a flow, which is taken if a condition holds.
func When(cond Cond, then ...Op) *Branch {
	return &Branch{Cond: cond, Branches: []*Arm{{Body: Sequence(then...)}}}
}

// Then is what a branch of a flow does.
func (b *Branch) Then() []Op { return b.Branches[0].Body.Body }

// Sequence returns operations of a flow that are done one after another.
func Sequence(ops ...Op) *Pipeline { return &Pipeline{Body: ops} }

// Ask waits for a person. Its answer has a value, as a finish has.
type Ask struct {
	// Var names the answer in a flow, Question the result of the run that words the question; its key says by which channel.
	Var, Question string
	// Message is the question of a step of a workflow; nil when the step's data is the question.
	Message *Template `shape:"-"`
	// Answer is the schema of what is answered in a workflow; its Schema is nil for any text.
	Answer Type
}

// Return ends the flow.
type Return struct {
	Key ReturnKey
	// Var names the result of a run or of a group, or notes; Form is what of it is the value.
	Var  string
	Form Form
	// Limit and Feedback say, with KeyUnfinished, how often was tried and what names the last verdict.
	Limit    int    `shape:"-"`
	Feedback string `shape:"-"`
}

// ReturnKey says with which key a flow finishes.
type ReturnKey uint8

const (
	// KeyDone: done.
	KeyDone ReturnKey = iota + 1
	// KeyOwn: the key of the run called Var.
	KeyOwn
	// KeyExhausted: exhausted if that has a row where the flow runs, else done.
	KeyExhausted
	// KeyUnfinished: exhausted if that has a row where the flow runs, else the flow fails.
	KeyUnfinished
)

// Form says what of a variable is the value.
type Form uint8

const (
	// FormValue: the value of a run, unchanged.
	FormValue Form = iota
	// FormDocument: notes, or the results of a group, as Markdown.
	FormDocument
	// FormObject: the results of a group as a JSON object.
	FormObject
)

func (*Run) op()      {}
func (*Parallel) op() {}
func (*Set) op()      {}
func (*Loop) op()     {}
func (*Branch) op()   {}
func (*Ask) op()      {}
func (*Return) op()   {}

// Expr is a text.
type Expr interface{ expr() }

type (
	// Input is the flow's own input, whole.
	Input struct{}
	// Value is the value of the run or the answer called Var.
	Value struct{ Var string }
	// TextOf is the text or the item called Var.
	TextOf struct{ Var string }
	// Report is what the notes, or the results of the group, called Var say, marked up for a model.
	Report struct{ Var string }
	// Brief is titled texts, marked up for a model: those of the notes called Base, if it is not empty, and Sections. Empty
	// texts are left out, and what is left has no title if it is alone.
	Brief struct {
		Base     string
		Sections []Section
	}
	// Notes are titled texts to which more can be added: those called Base, if it is not empty, and Sections.
	Notes Brief
)

// Section is a titled text of a brief. Title is a lower-case word or two.
type Section struct {
	Title string
	Text  Expr
}

func (Input) expr()  {}
func (Value) expr()  {}
func (TextOf) expr() {}
func (Report) expr() {}
func (Brief) expr()  {}
func (Notes) expr()  {}

// Cond is a condition.
type Cond interface{ cond() }

type (
	// KeyIs: the run called Var finished with Key (folded); with Not, it did not.
	KeyIs struct {
		Var, Key string
		Not      bool
	}
	// SaysDone: the value of the run called Var begins with done.
	SaysDone struct{ Var string }
	// AtLimit: the loop's counter is N.
	AtLimit struct {
		Counter string `shape:"-"`
		N       int
	}
)

func (KeyIs) cond()    {}
func (SaysDone) cond() {}
func (AtLimit) cond()  {}
