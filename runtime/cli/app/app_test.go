package app

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/cli/progress"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// desk is a program as a compiler would make it: a machine of two agents, an agent that asks a person, and a machine that
// others drive.
type desk struct{}

func (desk) Program() *compiled.Program {
	draft := &rt.OneshotSpec{Agent: "draft", Model: &model.Choice{Role: "default"}, Prompt: "Write."}
	writer := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		m := rt.Flow("desk").Machine(fx, 50, input)
		if m.Enter("draft") {
			m.RecordOutput(draft.Run(fx, m.Value()))
		}
		if m.Failed() {
			return m.End()
		}
		m.RecordTransition("done", rt.MatchExact, "polish")
		if m.Enter("polish") {
			m.RecordOutput(draft.Run(fx, m.Value()))
		}
		if !m.Failed() {
			m.RecordTransition("done", rt.MatchUnconditional, "")
		}
		return m.End()
	}
	ask := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		answer, err := fx.Ask(runtime.Question{ID: "approve", Agent: "approve", Prompt: "May I?", Channel: "email", Choices: []string{"yes", "no"}})
		return runtime.Finish{Key: answer.Value, Value: answer.Value + " to " + input}, err
	}
	both := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		at := func(fx runtime.Effects, input string, _ ...rt.Place) (runtime.Finish, error) {
			return ask(fx, input)
		}
		results, err := rt.Flow("both").Together(fx, 0, input, rt.Branch{Name: "approve", Run: at}, rt.Branch{Name: "approve", Run: at})
		return results.Object(), err
	}
	greetWith := func(_ runtime.Effects, input string, context json.RawMessage) (runtime.Finish, error) {
		return runtime.Finish{Key: "done", Value: input + " in " + string(context)}, nil
	}
	greet := func(fx runtime.Effects, input string) (runtime.Finish, error) { return greetWith(fx, input, nil) }
	anyObject := func(context json.RawMessage) error { return json.Unmarshal(context, &map[string]any{}) }
	model := &model.Choice{Role: "default"}

	return &compiled.Program{
		Name: "desk", Entry: "desk", Shape: "s1", Text: "t1", HasModels: true,
		Models: []compiled.Role{{Role: "default", Name: "anthropic:claude"}},
		Agents: []compiled.Agent{
			{Name: "approve", Pattern: "human", Run: ask},
			{Name: "both", Pattern: "parallel", Contains: []string{"approve"}, Graph: "flowchart TD\n  both\n", Run: both},
			{Name: "desk", Pattern: "fsm", Contains: []string{"draft"}, Graph: "flowchart TD\n", Run: writer},
			{Name: "door", Pattern: "fsm", Graph: "flowchart TD\n  door\n"},
			{Name: "flow", Pattern: "workflow", Run: greet, Context: &compiled.Context{Check: anyObject, Run: greetWith}},
			{Name: "draft", Pattern: "oneshot", Model: model, Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
				return draft.Run(fx, input)
			}},
		},
	}
}

// command runs APP in a folder with the given files and returns what it says.
func command(t *testing.T, files map[string]string, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	code = Options{}.Run(desk{}, args, strings.NewReader(stdin), &out, &errs)

	return code, out.String(), errs.String()
}

const good = `{"draft": [{"say": "first: {{input}}"}, {"say": "second"}]}`

func TestRun(t *testing.T) {
	progress := "desk: draft\ndesk: draft --done--> polish\ndraft: finished\ndesk: polish --> end\n"
	tests := []struct {
		name   string
		args   string
		stdin  string
		script string
		code   int
		stdout string
		stderr string
	}{
		{"a script", "run --script s.json task", "", good, cli.Done, "second\n", progress},
		{"the task on stdin", "run --script s.json --agent draft", "task\n", `{"draft": [{"say": "{{input}}"}]}`, cli.Done, "task\n", ""},
		{"a line break of the value's own", "run --script s.json --agent draft x", "", `{"draft": [{"say": "a\nb\n"}]}`, cli.Done, "a\nb\n", ""},
		{"left over", "run --script s.json --agent draft task", "", good, cli.Problem, "",
			"desk: script, \"draft\", turn 2: left over: 1 turn of 2\n"},
		{"left over on purpose", "run --script s.json --agent draft --partial task", "", good, cli.Done, "first: task\n", ""},
		{"ran out", "run --script s.json task", "", `{"draft": [{"say": "x"}]}`, cli.Problem, "", `desk: script, "draft"`},
		{"an agent that does not exist", "run --script s.json task", "", `{"drift": []}`, cli.Problem, "", `desk: s.json: script, "drift"`},
		{"YAML", "run --script s.json task", "", "draft:\n  - say: x\n", cli.Usage, "", "--script s.json: this is YAML"},
		{"no JSON", "run --script s.json task", "", "{", cli.Problem, "", "desk: s.json: script"},
		{"no script", "run --script other.json task", "", good, cli.Usage, "", "--script other.json: there is no such file"},
		{"no provider", "run task", "", good, cli.Problem, "", `desk: provider "anthropic" is not part of this version (wanted by agent "draft"`},
		{"a question", "run --store none --script s.json --agent approve money", "", good, cli.Paused, "",
			"desk: paused: question \"approve\" waits for an answer: May I?\nthe channel is email\nthe choices are yes, no\n" +
				"answer it on a terminal, or in a script: ask: {approve: [...]}\n"},
		{"two questions", "run --store none --script s.json --agent both money", "", `{"*": []}`, cli.Paused, "",
			"desk: paused: question \"approve@0\" waits for an answer: May I?\nthe channel is email\nthe choices are yes, no\n" +
				"answer it on a terminal, or in a script: ask: {approve@0: [...]}\n" +
				"desk: paused: question \"approve@1\" waits for an answer: May I?\n"},
		{"one of two questions", "run --script s.json --agent both money", "", `{"ask": {"approve@1": ["no"]}}`, cli.Paused, "",
			"desk: paused: question \"approve@0\" waits"},
		{"one of two answers is wrong", "run --script s.json --agent both money", "", `{"ask": {"approve@1": ["perhaps"]}}`, cli.Problem, "",
			`script, ask, "approve@1", turn 1: the answer "perhaps" is not one of`},
		{"two answers", "run --script s.json --agent both money", "", `{"ask": {"approve": ["yes"], "approve@1": ["no"]}}`, cli.Done,
			`"approve":"yes to money"`, ""},
		{"an answer", "run --script s.json --agent approve money", "", `{"ask": {"approve": ["Yes"]}}`, cli.Done, "yes to money\n", ""},
		{"an agent that is not there", "run --agent drat x", "", good, cli.Usage, "", `there is no agent "drat" (did you mean "draft"?)`},
		{"another", "run --agent zzz x", "", good, cli.Usage, "", `there is no agent "zzz": there are approve, both, desk, flow, draft`},
		{"a machine that others drive", "run --agent door x", "", good, cli.Problem, "", `"door" is a machine that others drive`},
		{"a context", "run --agent flow --context {\"a\":1} task", "", good, cli.Done, "task in {\"a\":1}\n", ""},
		{"a context in a file", "run --agent flow --context s.json task", "", `{"b": 2}`, cli.Done, "task in {\"b\": 2}\n", ""},
		{"a context that is not an object", "run --agent flow --context s.json task", "", `[]`, cli.Problem, "",
			`--context s.json: the initial context of "flow": json: cannot unmarshal array`},
		{"no such context", "run --agent flow --context c.json task", "", good, cli.Usage, "",
			"--context c.json: there is no such file, and it is not a JSON object"},
		{"a context for an agent", "run --agent draft --context {} task", "", good, cli.Problem, "",
			`--context: the initial context of "draft": it is not a workflow, and has no context`},
		{"record", "record verify", "", good, cli.Usage, "", `there is no command "record": it needs the part mcp: a line include: [mcp] in agentc.yaml, `},
		{"serve", "serve", "", good, cli.Usage, "", `there is no command "serve": it needs the part serve: a line include: [serve] in agentc.yaml, `},
		{"mcp", "mcp", "", good, cli.Usage, "", "a line include: [mcp] in agentc.yaml, and then generate and build again\n"},
		{"another folder", "-C .. run --script s.json task", "", good, cli.Usage, "", "--script s.json: there is no such file"},
		{"a graph", "graph", "", good, cli.Done, "flowchart TD\n", ""},
		{"another graph", "graph --agent door", "", good, cli.Done, "flowchart TD\n  door\n", ""},
		{"the graph of a flow", "graph --agent both", "", good, cli.Done, "flowchart TD\n  both\n", ""},
		{"nothing to draw", "graph --agent draft", "", good, cli.Problem, "", "draft is a oneshot agent: it has nothing to draw"},
		{"no agent", "graph --agent dor", "", good, cli.Usage, "", `did you mean "door"?`},
		{"version", "version", "", good, cli.Done, "desk\nshape s1\ntext t1\nruntime ", ""},
		{"help", "run --help", "", good, cli.Done, "example:\n  desk run \"a task\"", ""},
		{"nothing", "", "", good, cli.Usage, "", "usage: desk [-C DIR] COMMAND"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, stdout, stderr := command(t, map[string]string{"s.json": test.script}, test.stdin, strings.Fields(test.args)...)
			if code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			if !strings.HasPrefix(stdout, test.stdout) && !strings.Contains(stdout, test.stdout) || test.stdout == "" && stdout != "" {
				t.Errorf("stdout = %q, want %q", stdout, test.stdout)
			}
			if !strings.Contains(stderr, test.stderr) || test.code == cli.Done && test.stderr != stderr {
				t.Errorf("stderr = %q, want %q", stderr, test.stderr)
			}
		})
	}
}

// broken is a program whose agent panics.
type broken struct{}

func (broken) Program() *compiled.Program {
	return &compiled.Program{Name: "broken", Entry: "broken", Agents: []compiled.Agent{
		{Name: "broken", Pattern: "oneshot", Run: func(runtime.Effects, string) (runtime.Finish, error) { panic("bang") }},
	}}
}

func TestPanicSaysWhere(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs strings.Builder
	code := Options{}.Run(broken{}, []string{"run", "task"}, strings.NewReader(""), &out, &errs)
	if code != cli.Problem || out.Len() > 0 {
		t.Errorf("exit code %d, stdout %q", code, &out)
	}
	for _, want := range []string{"broken: agent broken panicked: bang\n", "app_test.go"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("stderr lacks %q:\n%s", want, &errs)
		}
	}
}

func TestJSONLinesEndWithEnd(t *testing.T) {
	code, stdout, stderr := command(t, map[string]string{"s.json": good}, "", "run", "--json", "--script", "s.json", "task")
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if code != cli.Done || stderr != "" || len(lines) < 5 {
		t.Fatalf("exit code %d, stderr %q, stdout %q", code, stderr, stdout)
	}
	if !strings.HasPrefix(lines[0], `{"event":"run",`) || !strings.HasPrefix(lines[len(lines)-1], `{"event":"end",`) {
		t.Errorf("the first line is %s, the last %s", lines[0], lines[len(lines)-1])
	}
	if !strings.Contains(lines[len(lines)-1], `"status":"done","key":"done","value":"second"`) {
		t.Errorf("the last line is %s", lines[len(lines)-1])
	}
}

func TestARunThatCannotBeginEndsToo(t *testing.T) {
	code, stdout, stderr := command(t, nil, "", "run", "--json", "task")
	lines := strings.Split(stdout, "\n")
	if code != cli.Problem || len(lines) != 3 || !strings.Contains(stderr, "--script FILE") {
		t.Fatalf("exit code %d, stderr %q, stdout %q", code, stderr, stdout)
	}
	if !strings.Contains(lines[0], `"type":"MissingProviderError"`) || !strings.Contains(lines[1], `"status":"failed"`) {
		t.Errorf("stdout = %q", stdout)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("s.json", []byte(good), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--json", "--partial"} {
		var stderr strings.Builder
		code := Options{}.Run(desk{}, []string{"run", flag, "--script", "s.json", "task"}, strings.NewReader(""), brokenPipe{}, &stderr)
		if code != cli.Failure || !strings.Contains(stderr.String(), "broken pipe") {
			t.Errorf("%s: exit code %d, %s", flag, code, stderr.String())
		}
	}
}

// interruptible is a run in which somebody interrupts while the first model call is under way.
func interruptible(t *testing.T, times int) (effects int, exits []int, stderr string, err error) {
	t.Helper()
	exit = func(code int) { exits = append(exits, code) }
	t.Cleanup(func() { exit = os.Exit })

	var out strings.Builder
	c := &cli.Call{Env: &cli.Env{Stderr: &out, Dir: filepath.FromSlash("/"), Getenv: func(string) string { return "" }}, Program: &cli.Program{Name: "desk"}}
	ctx, s := newStop(t.Context())
	t.Cleanup(s.finish)
	p := progress.New(c, nil)
	var events []event.Event
	observer := observerFunc(func(e event.Event) { events = append(events, e) })
	engine := core.New(core.Config{Observer: observer, Model: model.ProviderFunc(
		func(ctx context.Context, r model.Request) (model.Reply, error) {
			effects++
			for range times {
				s.interruptRun(c, p)
			}
			if (ctx.Err() != nil) != (times > 1) {
				t.Errorf("after %d interrupts the effect that is under way is told %v", times, ctx.Err())
			}
			return model.Reply{Text: "reply"}, nil
		})})
	_, err = engine.Run(ctx, p.Watch(s.Guard(desk{}.Program())), "desk", "task")
	if last := events[len(events)-1]; times > 0 && (last.Kind != event.End || last.Status != "cancelled") {
		t.Errorf("the last event is %+v", last)
	}

	return effects, exits, out.String(), err
}

type observerFunc func(event.Event)

func (f observerFunc) Observe(e event.Event) { f(e) }

func TestInterrupt(t *testing.T) {
	effects, exits, stderr, err := interruptible(t, 1)
	if effects != 1 || !errors.Is(err, errInterrupted) || len(exits) != 0 {
		t.Errorf("%d effects, error %v, exits %v", effects, err, exits)
	}
	if !strings.Contains(stderr, "stopping at the next safe point") {
		t.Errorf("stderr = %q", stderr)
	}

	effects, exits, stderr, err = interruptible(t, 2)
	if effects != 1 || !errors.Is(err, errInterrupted) || len(exits) != 0 || !strings.Contains(stderr, "stopped at once") {
		t.Errorf("%d effects, error %v, exits %v, stderr %q", effects, err, exits, stderr)
	}

	effects, _, _, err = interruptible(t, 0)
	if effects != 2 || err != nil {
		t.Errorf("%d effects, error %v", effects, err)
	}
}

// A question keeps its lines and nothing else; while it is asked, the first interrupt is enough.
func TestAsker(t *testing.T) {
	var out strings.Builder
	c := &cli.Call{Env: &cli.Env{Stderr: &out, Getenv: func(string) string { return "" }}, Program: &cli.Program{Name: "desk"}}
	ctx, s := newStop(t.Context())
	t.Cleanup(s.finish)
	p := progress.New(c, nil)

	asked := ""
	inner := askerFunc(func(_ context.Context, q runtime.Question) (runtime.Answer, error) {
		asked = q.Prompt
		s.interruptRun(c, p)
		return runtime.Answer{Value: "yes"}, nil
	})
	answer, err := s.wrapAsker(p, inner).Ask(ctx, runtime.Question{Prompt: "May\x1b[2J I\r\npay?"})
	if err != nil || answer.Value != "yes" || asked != "MayU+001B[2J I\npay?" {
		t.Errorf("%v, %v, asked %q", answer, err, asked)
	}
	if context.Cause(ctx) != errInterrupted || !strings.Contains(out.String(), "stopping at the next safe point") {
		t.Errorf("the run ends with %v, stderr %q", context.Cause(ctx), out.String())
	}
}
