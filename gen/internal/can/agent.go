package can

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// analysis follows facts through a program.
type analysis struct {
	facts *flow.Program
	// untrusted are the classes of texts that are followed.
	untrusted map[string]bool
	// all says that calls count whatever their model has read, and blocked names a person or a guard that lets no run pass.
	all     bool
	blocked string
	known   map[seed]*result
	// drivers are the interpreters of workflows.
	drivers map[*ir.Agent]*interp.Interp[facts]
}

// seed is an agent, or the conversation of a label, that begins with one fact.
type seed struct {
	of    *ir.Agent
	label string
	from  fact
}

// agent returns what comes of an agent that begins with a fact. No agent contains itself.
func (x *analysis) agent(a *ir.Agent, from fact) *result {
	key := seed{of: a, from: from}
	if known := x.known[key]; known != nil {
		return known
	}
	r := newResult()
	switch node := a.Node.(type) {
	case *ir.Machine:
		x.machine(r, a, node, from)
	case *ir.Flow:
		if node.IsWorkflow() {
			x.workflow(r, a, node, facts{from: new(trace)})
		} else {
			x.pattern(r, a, node, from)
		}
	case *ir.React, *ir.Oneshot:
		r = x.conversation(talk{agent: a, label: a.Name.Value, step: a.Conversations()[0]}, from)
	}
	x.known[key] = r

	return r
}

// isPossible reports whether some run takes a move of a machine.
func (x *analysis) isPossible(m *ir.Machine, from *ir.State, move interp.Move) bool {
	machine := x.facts.Machine(m)

	return machine == nil || machine.MayTake(from, move)
}

// passes notes the guard of a row that is taken, and reports whether it lets runs pass.
func (x *analysis) passes(row *ir.Row, finish *Step) bool {
	if row.When == nil {
		return true
	}
	finish.when = "guard " + row.When.Text.Value

	return x.blocked != finish.when
}

// key is what is known of the key with which something finishes: its name, or names that it does not have; "" for any.
type key string

const (
	butMark = "\x00"
	// failMark is behind a key with which something only finishes where that has a row; else it fails.
	failMark = "\x01"
)

func keyOf(name string) key { return key(ir.FoldKey(name)) }

// name returns the key, if that is known.
func (k key) name() (name string, known bool) {
	return strings.TrimSuffix(string(k), failMark), k != "" && !strings.HasPrefix(string(k), butMark)
}

// canBe reports whether the key can be one.
func (k key) canBe(name string) bool {
	own, isKnown := k.name()
	if isKnown {
		return key(own) == keyOf(name)
	}

	return !slices.Contains(strings.Split(string(k), butMark)[min(1, len(k)):], string(keyOf(name)))
}

// but is a key that is not known, and not one more either.
func (k key) but(name string) key {
	names := append(strings.Split(string(k), butMark)[min(1, len(k)):], string(keyOf(name)))
	slices.Sort(names)

	return key(butMark + strings.Join(slices.Compact(slices.DeleteFunc(names, func(n string) bool { return n == "" })), butMark))
}
