package trace

import (
	"encoding/json"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// readers are the functions that read events, for the kinds whose row says so.
var readers = eventkind.Functions[string, func(*builder, *journal.Record)]{
	{Kind: "enter", Call: (*builder).enterState},
	{Kind: "transition", Call: (*builder).addTransition},
	{Kind: "model", Call: (*builder).answeredBy},
	{Kind: "tool", Call: (*builder).addToolCall},
	{Kind: "retry", Call: (*builder).addRetry},
	{Kind: "repair", Call: (*builder).addRepair},
	{Kind: "finish", Call: (*builder).finishAgent},
	{Kind: "error", Call: (*builder).failAgent},
	{Kind: "pause", Call: (*builder).addPause},
	{Kind: "resume", Call: (*builder).addResume},
}

// addEvent notes what the program reported. What the records of effects say better is passed over.
func (b *builder) addEvent(r *journal.Record) {
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
		b.laneOf(r.Address).topNode().addChild(n)
		return
	}
	b.agentNode(r.Address, r.Value("agent")).addChild(n)
}

// answeredBy notes which model has answered.
func (b *builder) answeredBy(r *journal.Record) {
	if n := b.effects[r.Address]; n != nil && n.Model == "" {
		n.Model = r.Value("model")
	}
}

func (b *builder) addRepair(r *journal.Record) {
	b.trace.Totals.Repairs++
	b.addNode(r, eventkind.NodeOf(string(Repair)))
}

// enterState begins a state: what ran in the machine before is over.
func (b *builder) enterState(r *journal.Record) {
	agent, machine, state := r.Value("agent"), r.Value("machine"), r.Value("state")
	n := b.machineNode(r).addChild(&Node{Kind: State, Name: state, Machine: machine, Visit: parseNumber(r.Value("visit"))})
	l := b.laneOf(r.Address)
	l.stack = append(l.stack, frame{node: n, agent: state, owner: agent})
}

// machineNode returns where to put what a machine does: at the agent of its name, or the workflow that has it.
func (b *builder) machineNode(r *journal.Record) *Node {
	agent := r.Value("agent")
	if l := b.laneOf(r.Address); l.popAgent(agent) {
		return l.topNode()
	}

	return b.agentNode(r.Address, agent)
}

func (b *builder) addTransition(r *journal.Record) {
	n := &Node{
		Kind: Decision, Machine: r.Value("machine"), Owner: r.Value("agent"), From: r.Value("from"), Key: r.Value("key"),
		To: r.Value("to"), Matched: r.Value("matched"), Visit: parseNumber(r.Value("visit")),
	}
	if n.To == "null" {
		n.To = ""
	}
	_ = json.Unmarshal([]byte(r.Value("guards")), &n.Guards) // a verdict that cannot be read is not shown
	b.machineNode(r).addChild(n)
}

// addToolCall notes a call that never became an effect, such as one that was refused; of others it is known.
func (b *builder) addToolCall(r *journal.Record) {
	if n := b.effects[r.Address]; n != nil && n.Kind == Tool && !n.reported {
		n.reported = true
		return
	}
	b.agentNode(r.Address, r.Value("agent")).addChild(&Node{
		Kind: Tool, Name: r.Value("name"), Args: r.Value("args"), Value: r.Value("result"), Problem: r.Value("error"),
	})
}

func (b *builder) addRetry(r *journal.Record) {
	b.trace.Totals.Retries++
	if n := b.effects[r.Address]; n != nil {
		n.Retries = append(n.Retries, Retried{parseNumber(r.Value("attempt")), r.Value("error"), r.Value("wait"), r.Value("model")})
	}
}

// finishAgent ends an agent; a state's goes on until its machine has decided.
func (b *builder) finishAgent(r *journal.Record) {
	agent := r.Value("agent")
	synthetic := r.Value("synthetic") == "true"
	if synthetic {
		b.trace.Totals.Synthetic++
	}
	l := b.laneOf(r.Address)
	if !l.popAgent(agent) {
		b.agentNode(r.Address, agent)
	}
	l.topNode().addChild(&Node{Kind: Finish, Name: agent, Key: r.Value("key"), Value: r.Value("value"), Synthetic: synthetic})
	if last := len(l.stack) - 1; last >= l.least && l.stack[last].node.Kind == Agent {
		l.stack = l.stack[:last]
	}
}

// failAgent marks an agent, and what runs within it, as ended by an error, which is reported where it arose.
func (b *builder) failAgent(r *journal.Record) {
	agent, problem := r.Value("agent"), r.Value("message")
	l := b.laneOf(r.Address)
	at := l.findAgent(agent)
	if at < 0 {
		b.agentNode(r.Address, agent)
		at = max(len(l.stack)-1, 0)
	}
	for i := range l.stack[at:] {
		l.stack[at+i].failed = true
	}
	if problem == b.problem {
		return
	}
	b.problem = problem
	l.topNode().addChild(&Node{Kind: Error, Problem: problem, Type: r.Value("type")})
}

func (b *builder) addResume(r *journal.Record) {
	last := len(b.trace.Processes) - 1
	if last < 0 {
		return
	}
	b.trace.Processes[last].At = r.Address
	b.laneOf(r.Address).topNode().addChild(&Node{Kind: Resume, Name: strconv.Itoa(last + 1), Begun: b.trace.Processes[last].Begun})
}
