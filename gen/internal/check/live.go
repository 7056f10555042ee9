package check

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// liveStates returns the lists of states that are named in what the machine has for others to drive it.
func (x *machine) liveStates() [][]ir.Ref {
	l := &x.Live
	lists := slices.Concat(
		ir.Map(l.Signals, func(rule *ir.SignalRule) []ir.Ref { return rule.In }),
		ir.Map(l.Access, func(rule *ir.AccessRule) []ir.Ref { return rule.States }),
		ir.Map(l.Renames, func(rename *ir.Rename) []ir.Ref { return []ir.Ref{rename.To} }))
	stateOf := func(names *ir.StateNames) ir.Ref { return names.State }

	return append(lists, ir.Map(l.OnEnter, stateOf), ir.Map(l.OnExit, stateOf),
		ir.Map(l.Timers, func(timer *ir.Timer) ir.Ref { return timer.State }))
}

// undefinedLiveStates finds names of states in signals, timers, on_enter, on_exit, access and migrate that no state has.
func (u *unit) undefinedLiveStates() {
	for _, x := range u.machines {
		for _, refs := range x.liveStates() {
			for _, ref := range refs {
				if ref.State != nil || x.misspelled[ref.Value] != nil {
					continue
				}
				d := diag.New(diag.UndefinedState, ref.Span, "state %q is not defined in machine %q", ref.Value, x.name())
				suggestUsed(d, ref.Value, x.names, x.usesState)
				withoutRepeating(d, ir.Map(refs, func(ref ir.Ref) string { return ref.Value }))
				u.report(x.noteStates(d, ref))
			}
		}
	}
}

// staleRenames finds states that migrate renames and that still exist: a snapshot with their name means them.
func (u *unit) staleRenames() {
	for _, x := range u.machines {
		for _, rename := range x.Live.Renames {
			if s := x.byName[rename.From.Value]; s != nil && !x.Partial {
				u.report(diag.New(diag.BadValue, rename.From.Span, "state %q of machine %q exists, and cannot be renamed to %q",
					rename.From.Value, x.name(), rename.To.Value).
					WithHint("migrate names states that are no longer there").
					Note(s.Name.Span, "%q is here", s.Name.Value))
			}
		}
	}
}

// fired is a key that is fired by something other than the caller that drives the machine, or that a rule is about.
type fired struct {
	ir.Text
	// what fires it, or is about it, as a clause: that the timer fires.
	what string
	// states are those in which it is, and each says that it needs a row in each of them and not only in one.
	states []*ir.State
	each   bool
}

// firedKeys returns the keys that timers and signals fire, and those that rules of access are about.
func (x *machine) firedKeys() []fired {
	timers := ir.Where(x.Live.Timers, func(timer *ir.Timer) bool { return timer.State.State != nil })
	all := ir.Map(timers, func(timer *ir.Timer) fired {
		return fired{timer.Fire, "which its timer fires", []*ir.State{timer.State.State}, true}
	})
	for _, rule := range x.Live.Signals {
		if states, known := x.scope(rule.In); rule.Do == ir.AnswerFire && known {
			what := fmt.Sprintf("which the signal %q fires", rule.On.Value)
			all = append(all, fired{rule.Fire, what, states, len(rule.In) > 0})
		}
	}
	for _, rule := range x.Live.Access {
		if states, known := x.scope(rule.States); known {
			for _, key := range rule.Keys {
				all = append(all, fired{key, fmt.Sprintf("which a rule for %q is about", rule.Agent.Value), states, false})
			}
		}
	}

	return all
}

// signalled reports whether a signal fires a key in a state: its agent need not finish with it.
func (x *machine) signalled(s *ir.State, key string) bool {
	return slices.ContainsFunc(x.Fired(s), func(f ir.Firing) bool { return ir.FoldKey(f.Key) == ir.FoldKey(key) })
}

// scope returns the states that refs name, or all where there are none; known is false if one of them is undefined.
func (x *machine) scope(refs []ir.Ref) (states []*ir.State, known bool) {
	if len(refs) == 0 {
		return x.States, true
	}
	for _, ref := range refs {
		if ref.State == nil {
			return nil, false
		}
		states = append(states, ref.State)
	}

	return states, true
}

// takes reports whether a state has a row for a key.
func takes(s *ir.State, key string) bool {
	return s.Always != nil || slices.ContainsFunc(s.Rows, (*ir.Row).IsCatchAll) || routes(s, key)
}

// unroutedFired finds keys that timers and signals fire, or that rules of access are about, and that have no row.
func (u *unit) unroutedFired() {
	for _, x := range u.machines {
		if x.Partial {
			continue
		}
		for _, f := range x.firedKeys() {
			lacking := slices.DeleteFunc(slices.Clone(f.states), func(s *ir.State) bool { return takes(s, f.Value) })
			if len(lacking) == len(f.states) || f.each && len(lacking) > 0 {
				u.report(x.unroutedKey(f, lacking))
			}
		}
	}
}

func (x *machine) unroutedKey(f fired, lacking []*ir.State) *diag.Diagnostic {
	known := ir.Unique(ir.Flat(lacking, (*ir.State).Keys))
	d := diag.New(diag.UnroutedKey, f.Span, "%s for %q, %s", x.lack(lacking), f.Value, f.what)

	return noteKnown(suggestUsed(d, f.Value, known, x.routesOften), lacking, known)
}

// suggestUsed suggests the nearest candidate. Where nothing else uses that, either of the two names can be the misspelled one, and
// there is no fix.
func suggestUsed(d *diag.Diagnostic, name string, candidates []string, used func(near string) bool) *diag.Diagnostic {
	if near, ok := diag.Nearest(name, candidates); ok && !used(near) {
		return d.Guess(name, candidates)
	}

	return d.Suggest(name, candidates)
}

// usesState reports whether a row leads to the state called name, or the machine begins there.
func (x *machine) usesState(name string) bool {
	s := x.byName[name]

	return s != nil && (len(x.ledTo(s)) > 0 || x.Initial.State == s)
}

// routesOften reports whether more than one row has the key.
func (x *machine) routesOften(key string) bool {
	rows := slices.DeleteFunc(slices.Clone(x.Machine.Rows()), func(row *ir.Row) bool { return row.Key.Value != key })

	return len(rows) > 1
}

// lack says that states have no row.
func (x *machine) lack(states []*ir.State) string {
	if len(states) > 1 && len(states) == len(x.States) {
		return fmt.Sprintf("no state of machine %q has a row", x.name())
	}

	return fmt.Sprintf("%s %s of machine %q %s no row", plural(len(states), "state", "states"), quoted(stateNames(states)), x.name(),
		plural(len(states), "has", "have"))
}

// noteKnown says which keys the states have.
func noteKnown(d *diag.Diagnostic, states []*ir.State, known []string) *diag.Diagnostic {
	at := states[0].Name.Span
	if len(known) == 0 {
		return d.Note(at, "%s no rows", plural(len(states), "it has", "they have"))
	}

	return noteAll(d, at, "key", known)
}
