package trace

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// The states of a run. One that is open has no end: a process works on it, or did until it died.
const (
	Done      = "done"
	Failed    = "failed"
	Paused    = "paused"
	Cancelled = "cancelled"
	Open      = "open"
	// Quarantined is a run that servers have recovered too often without progress.
	Quarantined = "quarantined"
)

// Outline are the types of the records, besides the first, that describe how processes took a run
// up and left it.
var Outline = []journal.Type{journal.Opened, journal.End}

// Trace is what a journal says.
type Trace struct {
	Run, Program, Agent, Input string
	// By is who started the run, by a credential; "" if that is not known.
	By string
	// Context is the initial context as JSON; "" without one.
	Context string
	// Shape and Text are the program's hashes, as of the newest process, Runtime its version.
	Shape, Text, Runtime string
	// ForkedFrom and ForkedAt name the run of which this one is a copy, and the record up to which
	// it is; "" if it is not a copy.
	ForkedFrom, ForkedAt string
	// Ended is when a process last left the run; zero if one has it.
	Begun, Changed, Ended time.Time

	// Status is done, failed, paused, cancelled, quarantined or open. Key, Value, JSON, Problem and
	// Type describe the end.
	Status     string
	Key, Value string
	JSON       bool
	// FinalContext is the context of a workflow when the run ended, also when it failed, as JSON; "" without one.
	FinalContext  string
	Problem, Type string
	// Seq is the number of the newest event.
	Seq int
	// Recoveries are when a run that is quarantined was recovered, as recorded at its end.
	Recoveries []time.Time

	// Root is the agent that was started.
	Root *Node
	// Where are the places at which the run was last, outermost first: agents, and machines with their states.
	Where     []string
	Processes []Process
	Totals    Totals
	// Questions are those that wait for an answer, in the order in which they were asked first. A run that was cancelled has
	// none until it is resumed.
	Questions []client.Question
	// Answers are what people have answered, in the order of time, with those that were not used yet.
	Answers []client.Answer
	// StaysPaused reports whether the last answer was given, or the fork made, on the condition that the run stays paused
	// until it is resumed by a request.
	StaysPaused bool
}

// WasCancelled reports whether the run was left as a person or a program had it cancelled: not because its server has ended.
func (t *Trace) WasCancelled() bool {
	return t.Status == Cancelled && t.Type == runtime.ErrorType(&runtime.CancelledError{})
}

// Process is one that owned the run.
type Process struct {
	Begun, Ended time.Time
	// Status is how it left the run; open if it has not said.
	Status string
	// At is the address where it began to work; "" if that was at the beginning, or it did nothing new.
	At string
	// NewShape and NewText report whether the program was another than before; Forced whether it
	// was let in nevertheless.
	NewShape, NewText, Forced bool
	// By is who had it take the run up; "" if that is not known.
	By string
}

// Totals are sums over the run.
type Totals struct {
	Models  int   `json:"models"`
	Tools   int   `json:"tools"`
	Calls   int   `json:"calls"`
	Answers int   `json:"answers"`
	In      int   `json:"in"`
	Out     int   `json:"out"`
	Cost    int64 `json:"cost"`
	// Estimated reports whether some of the tokens, and of the cost, are estimates.
	Estimated bool `json:"estimated,omitempty"`
	// ListPrices is the day of the newest list prices from which a part of the cost was computed; "" if none was.
	ListPrices string `json:"list_prices,omitempty"`
	// Unpriced counts the model calls whose cost is not known.
	Unpriced  int `json:"unpriced"`
	Retries   int `json:"retries"`
	Repairs   int `json:"repairs"`
	Synthetic int `json:"synthetic"`
}

// Of reads a journal.
func Of(records []journal.Record) *Trace {
	b := &builder{trace: &Trace{Status: Open}, lanes: map[string]*lane{}, effects: map[string]*Node{}}
	b.trace.Root = &Node{Kind: Agent}
	b.lanes[""] = &lane{node: b.trace.Root, stack: []frame{{node: b.trace.Root}}, least: 1}
	for i := range records {
		b.addRecord(&records[i])
	}
	b.finishTrace()

	return b.trace
}

func (b *builder) addRecord(r *journal.Record) {
	switch r.Type {
	case journal.Begin:
		b.beginRun(r)
	case journal.Opened:
		b.openRun(r)
	case journal.Intent:
		b.addIntent(r)
	case journal.Result:
		b.addResult(r)
	case journal.Event:
		b.trace.Seq = max(b.trace.Seq, parseNumber(r.Value("seq")))
		b.addEvent(r)
	case journal.Answer:
		b.addAnswer(r)
	case journal.End:
		b.endRun(r)
	}
	// The records that a fork has of its past are older than its beginning.
	if r.Time.After(b.trace.Changed) {
		b.trace.Changed = r.Time
	}
	if last := len(b.trace.Processes) - 1; last >= 0 && r.Type != journal.Answer {
		b.trace.Processes[last].Ended = b.trace.Changed
	}
}

func (b *builder) beginRun(r *journal.Record) {
	t := b.trace
	t.Run, t.Begun = r.Name, r.Time
	t.Program, t.Agent, t.Input, t.Context = r.Value("program"), r.Value("agent"), r.Value("input"), r.Value("context")
	t.Shape, t.Text, t.Runtime = r.Value("shape"), r.Value("text"), r.Value("runtime")
	t.By, t.ForkedFrom, t.ForkedAt = r.Value("by"), r.Value("forked_from"), r.Value("forked_at")
	t.Root.Name = t.Agent
	b.lanes[""].stack[0].agent = t.Agent
	t.Processes = append(t.Processes, Process{Begun: r.Time, Status: Open, By: t.By})
}

func (b *builder) openRun(r *journal.Record) {
	b.addTake(r)
	t := b.trace
	shape, text := r.Value("shape"), r.Value("text")
	t.Processes = append(t.Processes, Process{
		Begun: r.Time, Status: Open, NewShape: shape != t.Shape, NewText: text != t.Text, Forced: r.Value("forced") == "true",
		By: r.Value("by"),
	})
	t.Shape, t.Text, t.Runtime = shape, text, r.Value("runtime")
	b.reopenQuestions()
	t.Status, t.Problem, t.Type, t.Ended, t.Recoveries, t.StaysPaused = Open, "", "", time.Time{}, nil, false
	t.FinalContext = ""
	b.forgetFailures()
}

func (b *builder) endRun(r *journal.Record) {
	t := b.trace
	if r.Name == Paused {
		b.dropUnusedAnswers()
	}
	t.Status, t.Key, t.Value, t.JSON = r.Name, r.Value("key"), r.Value("value"), r.Value("json") == "true"
	t.Problem, t.Type, t.FinalContext, t.Ended = r.Value("error"), r.Value("error_type"), r.Value("context"), r.Time
	t.Recoveries, t.StaysPaused = nil, t.StaysPaused || r.Value("stay_paused") == "true"
	for _, text := range strings.Fields(r.Value("recoveries")) {
		if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
			t.Recoveries = append(t.Recoveries, at)
		}
	}
	if last := len(t.Processes) - 1; last >= 0 {
		t.Processes[last].Status = r.Name
	}
}

// finishTrace computes what is known at the end of the records.
func (b *builder) finishTrace() {
	t := b.trace
	for _, f := range b.lanes[""].stack {
		t.Where = append(t.Where, f.node.Name)
	}
	t.Questions, t.Answers = b.openQuestions(), t.Root.answersBelow()
	for _, group := range b.groups {
		children := group.Children
		sort.SliceStable(children, func(i, j int) bool { return parseNumber(children[i].Name) < parseNumber(children[j].Name) })
	}
}

// parseNumber returns the number in a field; 0 if the field does not hold one.
func parseNumber(text string) int {
	n, _ := strconv.Atoi(text)

	return n
}
