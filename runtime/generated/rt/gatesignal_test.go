package rt_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// gateSignals is a gate with rules for signals.
type gateSignals struct {
	*tableGate
	rules []signals.Rule
}

func (g gateSignals) Signals() []signals.Rule { return g.rules }

// hearingDoor is a signalDoor whose model says one thing after the other, and whose tools succeed.
// Signals come while the first is used.
type hearingDoor struct {
	signalDoor
	says [][]string // the tools of each turn
	come []string
	ran  []string
}

func (d *hearingDoor) Model(model.Request) (model.Reply, error) {
	var calls []model.ToolCall
	for _, name := range d.says[0] {
		calls = append(calls, model.ToolCall{ID: name, Name: name, Args: args[name]})
	}
	d.says = d.says[1:]

	return model.Reply{Calls: calls}, nil
}

// args are the arguments of the calls that have some.
var args = map[string]string{"finish": `{"key": "done", "value": "v"}`, "read_skill": `{"name": "v"}`, "one": "{}", "two": "{}"}

func (d *hearingDoor) Tool(call runtime.ToolCall) (runtime.ToolResult, error) {
	if len(d.ran) == 0 {
		d.waiting = d.come
	}
	d.ran = append(d.ran, call.Tool.Name)

	return runtime.ToolResult{Text: "fine"}, nil
}

func TestGateAsksForSignalsAfterEachCall(t *testing.T) {
	for name, c := range map[string]struct {
		come  []string
		ran   string
		path  string
		asked []string
		err   string
	}{
		"none":     {nil, "one two", "one two finish", []string{"a", "b", "c"}, ""},
		"graceful": {[]string{"stop"}, "one", "one", []string{"a", "b"}, `signal "stop" (graceful-stop) in state "b" of machine "a"`},
		"fire": { // the second call is not possible where the gate went
			[]string{"skip"}, "one", "one two finish", []string{"a", "b", "c"}, "",
		},
		"fire what is not there": {[]string{"odd"}, "one two", "one two finish", []string{"a", "b", "c"}, ""},
		"fire finish":            {[]string{"end"}, "one two", "one two finish", []string{"a", "b", "c"}, ""},
		"put off":                {[]string{"later"}, "one two", "one two", []string{"a", "b", "b", "c again later"}, `signal "later" (force-stop) in state "c" of machine "a"`},
	} {
		table, _ := gateOf("a: one b\nb: two c\nc: finish ~")
		gate := gateSignals{table, []signals.Rule{
			{On: "stop", Do: signals.GracefulStop},
			{On: "skip", Do: signals.Fire, Key: "two"},
			{On: "odd", Do: signals.Fire, Key: "nothing"},
			{On: "end", Do: signals.Fire, Key: "finish"},
			{On: "later", In: []string{"b"}, Do: signals.Continue},
			{On: "later", In: []string{"c"}, Do: signals.ForceStop},
		}}
		door := &hearingDoor{come: c.come, says: [][]string{{"read_skill", "one", "two"}, {"finish"}}}
		spec := &rt.ReactSpec{Agent: "a", MaxIter: 3, Skills: []*rt.SkillSpec{{Name: "v", Tools: []*runtime.ToolSpec{
			{Name: "one"}, {Name: "two"},
		}}}}
		_, err := spec.RunGated(door, nil, "in", rt.Started{gate})
		if ran := strings.Join(door.ran, " "); ran != c.ran || keysOf(door.events) != c.path {
			t.Errorf("%s: ran %s, moved by %s", name, ran, keysOf(door.events))
		}
		if !slices.Equal(door.asked, c.asked) || len(door.listening) != 0 {
			t.Errorf("%s: asked %q, still listening: %q", name, door.asked, door.listening)
		}
		if (err == nil) != (c.err == "") || err != nil && err.Error() != "the run was cancelled: "+c.err {
			t.Errorf("%s: %v", name, err)
		}
	}
}
