package trace

import (
	"encoding/json"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/journal"
)

// event notes what the program reported. What the records of effects say better is passed over.
func (b *builder) event(r *journal.Record) {
	agent := get(r, "agent")
	switch r.Name {
	case "enter":
		b.enter(r)
	case "transition":
		b.transition(r)
	case "model":
		if n := b.effects[r.Address]; n != nil && n.Model == "" {
			n.Model = get(r, "model")
		}
	case "tool":
		b.tool(r)
	case "retry":
		b.retry(r)
	case "repair":
		b.trace.Totals.Repairs++
		b.agent(r.Address, agent).add(&Node{Kind: Repair, Problem: get(r, "problem")})
	case "step":
		b.agent(r.Address, agent).add(&Node{Kind: Step, Name: get(r, "name"), Value: get(r, "value")})
	case "budget":
		b.lane(r.Address).top().add(&Node{Kind: Budget, Name: get(r, "limit"), Value: get(r, "spent")})
	case "finish":
		b.finished(r)
	case "error":
		b.failed(r)
	case "pause":
		b.paused(r)
	case "resume":
		b.resumed(r)
	}
}

// enter begins a state: what ran in the machine before is over.
func (b *builder) enter(r *journal.Record) {
	agent, machine, state := get(r, "agent"), get(r, "machine"), get(r, "state")
	n := b.machine(r).add(&Node{Kind: State, Name: state, Machine: machine, Visit: number(get(r, "visit"))})
	l := b.lane(r.Address)
	l.stack = append(l.stack, frame{node: n, agent: state, owner: agent})
}

// machine returns where to put what a machine does: at the agent of its name, or the workflow that has it.
func (b *builder) machine(r *journal.Record) *Node {
	agent := get(r, "agent")
	if l := b.lane(r.Address); l.drop(agent) {
		return l.top()
	}

	return b.agent(r.Address, agent)
}

func (b *builder) transition(r *journal.Record) {
	n := &Node{
		Kind: Decision, Machine: get(r, "machine"), Owner: get(r, "agent"), From: get(r, "from"), Key: get(r, "key"),
		To: get(r, "to"), Matched: get(r, "matched"), Visit: number(get(r, "visit")),
	}
	if n.To == "null" {
		n.To = ""
	}
	_ = json.Unmarshal([]byte(get(r, "guards")), &n.Guards) // a verdict that cannot be read is not shown
	b.machine(r).add(n)
}

// tool notes a call that never became an effect, such as one that was refused; of others it is known.
func (b *builder) tool(r *journal.Record) {
	if n := b.effects[r.Address]; n != nil && n.Kind == Tool && !n.reported {
		n.reported = true
		return
	}
	b.agent(r.Address, get(r, "agent")).add(&Node{
		Kind: Tool, Name: get(r, "name"), Args: get(r, "args"), Value: get(r, "result"), Problem: get(r, "error"),
	})
}

func (b *builder) retry(r *journal.Record) {
	b.trace.Totals.Retries++
	if n := b.effects[r.Address]; n != nil {
		n.Retries = append(n.Retries, Retried{number(get(r, "attempt")), get(r, "error"), get(r, "wait"), get(r, "model")})
	}
}

// finished ends an agent; a state's goes on until its machine has decided.
func (b *builder) finished(r *journal.Record) {
	agent := get(r, "agent")
	synthetic := get(r, "synthetic") == "true"
	if synthetic {
		b.trace.Totals.Synthetic++
	}
	l := b.lane(r.Address)
	if !l.drop(agent) {
		b.agent(r.Address, agent)
	}
	l.top().add(&Node{Kind: Finish, Name: agent, Key: get(r, "key"), Value: get(r, "value"), Synthetic: synthetic})
	if last := len(l.stack) - 1; last >= l.least && l.stack[last].node.Kind == Agent {
		l.stack = l.stack[:last]
	}
}

// failed marks an agent, and what runs within it, as ended by an error, which is reported where it arose.
func (b *builder) failed(r *journal.Record) {
	agent, problem := get(r, "agent"), get(r, "message")
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
	l.top().add(&Node{Kind: Error, Problem: problem, Type: get(r, "type")})
}

func (b *builder) resumed(r *journal.Record) {
	last := len(b.trace.Processes) - 1
	if last < 0 {
		return
	}
	b.trace.Processes[last].At = r.Address
	b.lane(r.Address).top().add(&Node{Kind: Resume, Name: strconv.Itoa(last + 1), Begun: b.trace.Processes[last].Begun})
}
