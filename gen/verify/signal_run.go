package verify

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
)

// listens reports whether the machine has rules for signals: only then may it ask for any.
func (m *machine) listens() bool { return len(m.ir.Live.Signals) > 0 }

// signals compares the method by which a gate says which rules it has.
func (g *gate) signals() {
	if !g.listens() {
		g.absent(g.typ + ".Signals")
		return
	}
	g.hasMethod("Signals", "() []runtime.SignalRule", "return []runtime.SignalRule{"+g.signalRules("")+"}")
}

// over is the question whether the walk ends with the state's agent, be it by a signal.
func (m *machine) over() string {
	if m.listens() {
		return "walk.Stopped()"
	}

	return "walk.Failed()"
}

// signalRules is the list of the rules for signals, each after its type.
func (m *machine) signalRules(typ string) string {
	answers := [...]string{"", "AnswerContinue", "AnswerGracefulStop", "AnswerForceStop", "AnswerFire"}
	var list []string
	for _, rule := range m.ir.Live.Signals {
		text := "On: " + strconv.Quote(rule.On.Value)
		if len(rule.In) > 0 {
			var states []string
			for _, ref := range rule.In {
				states = append(states, ref.State.Name.Value)
			}
			text += ", In: " + textList(states)
		}
		text += ", Do: runtime." + answers[rule.Do]
		if rule.Do == ir.AnswerFire {
			text += ", Key: " + strconv.Quote(rule.Fire.Value)
		}
		if rule.Priority != 0 {
			text += ", Priority: " + strconv.Itoa(rule.Priority)
		}
		list = append(list, typ+"{"+text+"}")
	}

	return strings.Join(list, ", ")
}
