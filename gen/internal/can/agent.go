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
	// countsAllCalls counts calls by models that have read no untrusted text, too. blocked names a
	// person or a guard that stops all runs.
	countsAllCalls bool
	blocked        string
	results        map[seed]*result
	// interpreters are the interpreters of workflows.
	interpreters map[*ir.Agent]*interp.Interp[facts]
}

// seed is an agent, or the conversation of a label, with one initial fact.
type seed struct {
	of    *ir.Agent
	label string
	from  fact
}

// analyzeAgent returns the result of an agent that begins with a fact. No agent contains itself.
func (x *analysis) analyzeAgent(a *ir.Agent, from fact) *result {
	key := seed{of: a, from: from}
	if known := x.results[key]; known != nil {
		return known
	}
	r := newResult()
	switch node := a.Node.(type) {
	case *ir.Machine:
		x.analyzeMachine(r, a, node, from)
	case *ir.Flow:
		if node.IsWorkflow() {
			x.analyzeWorkflow(r, a, node, facts{from: new(trace)})
		} else {
			x.analyzePattern(r, a, node, from)
		}
	case *ir.React, *ir.Oneshot:
		r = x.analyzeConversation(conversation{agent: a, label: a.Name.Value, step: a.Conversations()[0]}, from)
	}
	x.results[key] = r

	return r
}

// isPossible reports whether some run takes a move of a machine.
func (x *analysis) isPossible(m *ir.Machine, from *ir.State, move interp.Move) bool {
	machine := x.facts.Machine(m)

	return machine == nil || machine.MayTake(from, move)
}

// recordGuard records the guard of a row that is taken, and reports whether it lets runs pass.
func (x *analysis) recordGuard(row *ir.Row, finish *Step) bool {
	if row.When == nil {
		return true
	}
	finish.guardName = "guard " + row.When.Text.Value

	return x.blocked != finish.guardName
}

// key is what is known of the key of a finish: its name, or the names that it excludes; "" for any
// key.
type key string

const (
	exclusionMark = "\x00"
	// failMark is the suffix of a key that finishes only where it has a row, and otherwise fails.
	failMark = "\x01"
)

func keyNamed(name string) key { return key(ir.FoldKey(name)) }

// knownName returns the key, if it is known.
func (k key) knownName() (name string, known bool) {
	return strings.TrimSuffix(string(k), failMark), k != "" && !strings.HasPrefix(string(k), exclusionMark)
}

// canBe reports whether the key can have a name.
func (k key) canBe(name string) bool {
	own, isKnown := k.knownName()
	if isKnown {
		return key(own) == keyNamed(name)
	}

	return !slices.Contains(strings.Split(string(k), exclusionMark)[min(1, len(k)):], string(keyNamed(name)))
}

// withExcluded returns a key that also excludes a name.
func (k key) withExcluded(name string) key {
	names := append(strings.Split(string(k), exclusionMark)[min(1, len(k)):], string(keyNamed(name)))
	slices.Sort(names)

	return key(exclusionMark + strings.Join(slices.Compact(slices.DeleteFunc(names, func(n string) bool { return n == "" })), exclusionMark))
}
