package check

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// liveStates returns the lists of states that the signals, timers, hooks, access rules and renames
// of a machine name.
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

// reportUndefinedLiveStates reports undefined states in signals, timers, on_enter, on_exit, access
// and migrate.
func (u *unit) reportUndefinedLiveStates() {
	for _, x := range u.machines {
		for _, refs := range x.liveStates() {
			for _, ref := range refs {
				if ref.State != nil || x.misspelled[ref.Value] != nil {
					continue
				}
				d := diag.New(diag.UndefinedState, ref.Span, "state %q is not defined in machine %q", ref.Value, x.name())
				suggestUsed(d, ref.Value, x.names, x.isStateReferenced)
				dropRepeatingFixes(d, ir.Map(refs, func(ref ir.Ref) string { return ref.Value }))
				u.report(x.noteStates(d, ref))
			}
		}
	}
}

// reportStaleRenames reports states that migrate renames and that still exist: a snapshot with
// their name means them.
func (u *unit) reportStaleRenames() {
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

// firedKey is a key that a timer or a signal fires, or that an access rule names.
type firedKey struct {
	ir.Text
	// what describes the source of the key as a clause: "which its timer fires".
	what string
	// states are the states that need a row for the key: one of them, or every one if each is true.
	states []*ir.State
	each   bool
}

// firedKeys returns the keys that timers and signals fire or access rules name.
func (x *machine) firedKeys() []firedKey {
	timers := ir.Where(x.Live.Timers, func(timer *ir.Timer) bool { return timer.State.State != nil })
	all := ir.Map(timers, func(timer *ir.Timer) firedKey {
		return firedKey{timer.Fire, "which its timer fires", []*ir.State{timer.State.State}, true}
	})
	for _, rule := range x.Live.Signals {
		if states, known := x.resolveScope(rule.In); rule.Do == ir.AnswerFire && known {
			what := fmt.Sprintf("which the signal %q fires", rule.On.Value)
			all = append(all, firedKey{rule.Fire, what, states, len(rule.In) > 0})
		}
	}
	for _, rule := range x.Live.Access {
		if states, known := x.resolveScope(rule.States); known {
			for _, key := range rule.Keys {
				all = append(all, firedKey{key, fmt.Sprintf("which a rule for %q is about", rule.Agent.Value), states, false})
			}
		}
	}

	return all
}

// isSignalled reports whether a signal fires the key in the state. The agent then need not finish
// with the key.
func (x *machine) isSignalled(s *ir.State, key string) bool {
	return slices.ContainsFunc(x.KeySignals(s), func(f ir.KeySignal) bool { return ir.FoldKey(f.Key) == ir.FoldKey(key) })
}

// resolveScope returns the states that refs name, or all states if refs is empty. known is false if
// a state is undefined.
func (x *machine) resolveScope(refs []ir.Ref) (states []*ir.State, known bool) {
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

// acceptsKey reports whether a state has a row for a key, a catch-all, or an unconditional
// transition.
func acceptsKey(s *ir.State, key string) bool {
	return s.Always != nil || slices.ContainsFunc(s.Rows, (*ir.Row).IsCatchAll) || hasRowWithKey(s, key)
}

// reportUnroutedFired reports keys that timers and signals fire, or access rules name, and that
// have no row.
func (u *unit) reportUnroutedFired() {
	for _, x := range u.machines {
		if x.Partial {
			continue
		}
		for _, f := range x.firedKeys() {
			lacking := slices.DeleteFunc(slices.Clone(f.states), func(s *ir.State) bool { return acceptsKey(s, f.Value) })
			if len(lacking) == len(f.states) || f.each && len(lacking) > 0 {
				u.report(x.firedKeyDiagnostic(f, lacking))
			}
		}
	}
}

func (x *machine) firedKeyDiagnostic(f firedKey, lacking []*ir.State) *diag.Diagnostic {
	known := ir.Unique(ir.FlatMap(lacking, (*ir.State).Keys))
	d := diag.New(diag.UnroutedKey, f.Span, "%s for %q, %s", x.describeMissingRow(lacking), f.Value, f.what)

	return noteKeys(suggestUsed(d, f.Value, known, x.hasSeveralRows), lacking, known)
}

// suggestUsed suggests the nearest candidate. If nothing else uses the candidate, either name can
// be misspelled, and there is no fix.
func suggestUsed(d *diag.Diagnostic, name string, candidates []string, used func(near string) bool) *diag.Diagnostic {
	if near, ok := diag.Nearest(name, candidates); ok && !used(near) {
		return d.Guess(name, candidates)
	}

	return d.Suggest(name, candidates)
}

// isStateReferenced reports whether a row leads to the named state, or the machine begins there.
func (x *machine) isStateReferenced(name string) bool {
	s := x.byName[name]

	return s != nil && (len(x.referencesTo(s)) > 0 || x.Initial.State == s)
}

// hasSeveralRows reports whether more than one row has the key.
func (x *machine) hasSeveralRows(key string) bool {
	rows := slices.DeleteFunc(slices.Clone(x.Machine.Rows()), func(row *ir.Row) bool { return row.Key.Value != key })

	return len(rows) > 1
}

// describeMissingRow describes states without a row.
func (x *machine) describeMissingRow(states []*ir.State) string {
	if len(states) > 1 && len(states) == len(x.States) {
		return fmt.Sprintf("no state of machine %q has a row", x.name())
	}

	return fmt.Sprintf("%s %s of machine %q %s no row", plural(len(states), "state", "states"), quoted(stateNames(states)), x.name(),
		plural(len(states), "has", "have"))
}

// noteKeys adds a note with the keys of the states.
func noteKeys(d *diag.Diagnostic, states []*ir.State, known []string) *diag.Diagnostic {
	at := states[0].Name.Span
	if len(known) == 0 {
		return d.Note(at, "%s no rows", plural(len(states), "it has", "they have"))
	}

	return noteAll(d, at, "key", known)
}
