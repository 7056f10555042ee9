package verify

import "github.com/agentc-dev/agentc/gen/names"

// guardsOfRun is how a run makes what asks the guards of its machine.
func (m *machine) guardsOfRun() string {
	more := ""
	if m.asked.named {
		more = ", fx.Guard, a.guards"
	}

	return "guards := " + names.NewGuards(m.name) + "(input" + more + ")"
}

// judgedStep is how a row with guards is found and taken.
func (m *machine) judgedStep() []string {
	valid := "nil"
	if len(m.keys) > 0 {
		valid = "runtime.Texts(state.Keys())"
	}

	return []string{
		"guards.Begin(state, key, walk.Value())",
		"next, ok := state.Next(key, guards)",
		"if !ok { return walk.Refuse(&guards.Judge, " + valid + ") }",
		"walk.TakeJudged(&guards.Judge, match, next.String())",
	}
}
