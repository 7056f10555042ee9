package trace

import (
	"encoding/json"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// readers are the functions that read events, for the kinds whose row says so.
var readers = eventkind.Functions[string, func(*builder, *journal.Record)]{
	{Kind: "enter", Call: (*builder).enter},
	{Kind: "transition", Call: (*builder).transition},
	{Kind: "model", Call: (*builder).answeredBy},
	{Kind: "tool", Call: (*builder).tool},
	{Kind: "retry", Call: (*builder).retry},
	{Kind: "repair", Call: (*builder).repaired},
	{Kind: "finish", Call: (*builder).finished},
	{Kind: "error", Call: (*builder).failed},
	{Kind: "pause", Call: (*builder).paused},
	{Kind: "resume", Call: (*builder).resumed},
}

// event notes what the program reported. What the records of effects say better is passed over.
func (b *builder) event(r *journal.Record) {
	kind := eventkind.Of(r.Name)
	switch {
	case kind == nil:
	case kind.Trace == eventkind.Custom:
		readers.Of(r.Name)(b, r)
	case kind.Trace == eventkind.Generic:
		b.addNode(r, kind.Node)
	}
}

// addNode adds what an event is, as the row of its kind says.
func (b *builder) addNode(r *journal.Record, as *eventkind.Node) {
	n := &Node{Kind: Kind(as.Kind), Name: r.Value(as.Name), Value: r.Value(as.Value), Problem: r.Value(as.Problem)}
	if as.OfRun {
		b.lane(r.Address).top().add(n)
		return
	}
	b.agent(r.Address, r.Value("agent")).add(n)
}

// answeredBy notes which model has answered.
func (b *builder) answeredBy(r *journal.Record) {
	if n := b.effects[r.Address]; n != nil && n.Model == "" {
		n.Model = r.Value("model")
	}
}

func (b *builder) repaired(r *journal.Record) {
	b.trace.Totals.Repairs++
	b.addNode(r, eventkind.NodeOf(string(Repair)))
}

// enter begins a state: what ran in the machine before is over.
func (b *builder) enter(r *journal.Record) {
	agent, machine, state := r.Value("agent"), r.Value("machine"), r.Value("state")
	n := b.machine(r).add(&Node{Kind: State, Name: state, Machine: machine, Visit: number(r.Value("visit"))})
	l := b.lane(r.Address)
	l.stack = append(l.stack, frame{node: n, agent: state, owner: agent})
}

// machine returns where to put what a machine does: at the agent of its name, or the workflow that has it.
func (b *builder) machine(r *journal.Record) *Node {
	agent := r.Value("agent")
	if l := b.lane(r.Address); l.drop(agent) {
		return l.top()
	}

	return b.agent(r.Address, agent)
}

func (b *builder) transition(r *journal.Record) {
	n := &Node{
		Kind: Decision, Machine: r.Value("machine"), Owner: r.Value("agent"), From: r.Value("from"), Key: r.Value("key"),
		To: r.Value("to"), Matched: r.Value("matched"), Visit: number(r.Value("visit")),
	}
	if n.To == "null" {
		n.To = ""
	}
	_ = json.Unmarshal([]byte(r.Value("guards")), &n.Guards) // a verdict that cannot be read is not shown
	b.machine(r).add(n)
}

// tool notes a call that never became an effect, such as one that was refused; of others it is known.
func (b *builder) tool(r *journal.Record) {
	if n := b.effects[r.Address]; n != nil && n.Kind == Tool && !n.reported {
		n.reported = true
		return
	}
	b.agent(r.Address, r.Value("agent")).add(&Node{
		Kind: Tool, Name: r.Value("name"), Args: r.Value("args"), Value: r.Value("result"), Problem: r.Value("error"),
	})
}

func (b *builder) retry(r *journal.Record) {
	b.trace.Totals.Retries++
	if n := b.effects[r.Address]; n != nil {
		n.Retries = append(n.Retries, Retried{number(r.Value("attempt")), r.Value("error"), r.Value("wait"), r.Value("model")})
	}
}

// finished ends an agent; a state's goes on until its machine has decided.
func (b *builder) finished(r *journal.Record) {
	agent := r.Value("agent")
	synthetic := r.Value("synthetic") == "true"
	if synthetic {
		b.trace.Totals.Synthetic++
	}
	l := b.lane(r.Address)
	if !l.drop(agent) {
		b.agent(r.Address, agent)
	}
	l.top().add(&Node{Kind: Finish, Name: agent, Key: r.Value("key"), Value: r.Value("value"), Synthetic: synthetic})
	if last := len(l.stack) - 1; last >= l.least && l.stack[last].node.Kind == Agent {
		l.stack = l.stack[:last]
	}
}

// failed marks an agent, and what runs within it, as ended by an error, which is reported where it arose.
func (b *builder) failed(r *journal.Record) {
	agent, problem := r.Value("agent"), r.Value("message")
	l := b.lane(r.Address)
	at := l.find(agent)
	if at < 0 {
		b.agent(r.Address, agent)
		at = max(len(l.stack)-1, 0)
	}
	for i := range l.stack[at:] {
		l.stack[at+i].failed = true
	}
	if problem == b.problem {
		return
	}
	b.problem = problem
	l.top().add(&Node{Kind: Error, Problem: problem, Type: r.Value("type")})
}

func (b *builder) resumed(r *journal.Record) {
	last := len(b.trace.Processes) - 1
	if last < 0 {
		return
	}
	b.trace.Processes[last].At = r.Address
	b.lane(r.Address).top().add(&Node{Kind: Resume, Name: strconv.Itoa(last + 1), Begun: b.trace.Processes[last].Begun})
}
