package agentmd

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// lowerLive lowers the fields for external control of a machine. The checks report undefined
// states.
func (b *machineBuilder) lowerLive(head *yamldoc.Node) {
	if b.written == nil {
		return // without states there is nothing to name
	}
	live := &b.machine.Live
	live.Wanted = frontend.Bool(head.Value("live"))
	for _, rule := range head.Value("signals").Elements() {
		b.addSignal(rule)
	}
	for _, f := range head.Value("timers").Members() {
		b.addTimer(f)
	}
	live.OnEnter = b.lowerStateNames(head.Value("on_enter"))
	live.OnExit = b.lowerStateNames(head.Value("on_exit"))
	for _, rule := range head.Value("access").Elements() {
		if agent := frontend.Text(rule.Value("agent")); agent.Value != "" {
			live.Access = append(live.Access, &ir.AccessRule{
				Agent:  agent,
				Deny:   frontend.Bool(rule.Value("deny")),
				States: b.stateRefs(rule.Value("states")),
				Keys:   b.lowerActions(rule.Value("keys")),
			})
		}
	}
	for _, f := range head.Value("migrate").Value("from").Members() {
		if to := frontend.Text(f.Value); to.Value != "" {
			live.Renames = append(live.Renames, &ir.Rename{From: frontend.Key(f), To: b.stateRef(to)})
		}
	}
}

// stateRef returns a reference to a state of the machine.
func (b *machineBuilder) stateRef(name ir.Text) ir.Ref {
	return ir.Ref{Text: name, State: b.states[name.Value]}
}

func (b *machineBuilder) stateRefs(n *yamldoc.Node) []ir.Ref {
	return ir.Map(frontend.Texts(n), func(name ir.Text) ir.Ref { return b.stateRef(name) })
}

// lowerActions lowers keys of rows.
func (b *machineBuilder) lowerActions(n *yamldoc.Node) []ir.Text {
	keys := frontend.Texts(n)
	for i, key := range keys {
		keys[i], _ = b.resolveAction(key)
	}

	return keys
}

// signalAnswers are the answers that are written as a word.
var signalAnswers = []ir.SignalAnswer{ir.AnswerContinue, ir.AnswerGracefulStop, ir.AnswerForceStop}

// addSignal lowers a rule for a signal. It skips a rule that does not fit the schema.
func (b *machineBuilder) addSignal(n *yamldoc.Node) {
	rule := &ir.SignalRule{On: frontend.Text(n.Value("on")), In: b.stateRefs(n.Value("in"))}
	on := rule.On.Value
	if near, ok := diag.Nearest(on, builtin.Signals); ok && diag.IsCertain(on, near, builtin.Signals) { // most likely misspelled
		b.loader.List.Add(diag.New(diag.BadValue, rule.On.Span, "agentc never sends the signal %q", on).Warn().
			Suggest(on, builtin.Signals).
			Note(source.Span{}, "the signals are %s, and names of your own", strings.Join(builtin.Signals, ", ")))
	}
	do := n.Value("do")
	if fire := frontend.Text(do.Value("fire")); fire.Value != "" {
		rule.Do = ir.AnswerFire
		rule.Fire, _ = b.resolveAction(fire)
	} else {
		rule.Do = ir.First(signalAnswers, func(a ir.SignalAnswer) bool { return a.String() == frontend.Text(do).Value })
	}
	rule.Priority = b.loader.ReadLimit(n.Value("priority"), 0)
	if rule.On.Value != "" && rule.Do != 0 {
		b.machine.Live.Signals = append(b.machine.Live.Signals, rule)
	}
}

// addTimer lowers the timer of a state. It skips a timer that does not fit the schema.
func (b *machineBuilder) addTimer(f *yamldoc.Field) {
	fire, after := frontend.Text(f.Value.Value("fire")), b.loader.ReadDuration(f.Value.Value("after"))
	if fire.Value == "" || after == 0 {
		return
	}
	key, _ := b.resolveAction(fire)
	b.machine.Live.Timers = append(b.machine.Live.Timers, &ir.Timer{State: b.stateRef(frontend.Key(f)), After: after, Fire: key})
}

func (b *machineBuilder) lowerStateNames(n *yamldoc.Node) []*ir.StateNames {
	var all []*ir.StateNames
	for _, f := range n.Members() {
		if names := frontend.Texts(f.Value); len(names) > 0 {
			all = append(all, &ir.StateNames{State: b.stateRef(frontend.Key(f)), Names: names})
		}
	}

	return all
}
