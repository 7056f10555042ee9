package core_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/tools"
	"github.com/agentc-dev/agentc/runtime/tools/files"
)

// shelf is a runner that knows some tools, and a part that brings it; log is what has happened to
// it.
type shelf struct {
	name  string
	tools map[string]func(context.Context, runtime.ToolCall) (runtime.ToolResult, error)
	fails error
	log   *[]string
}

func (s shelf) note(what string) { *s.log = append(*s.log, what+" "+s.name) }

func (s shelf) Part() string { return s.name }

func (s shelf) Run(ctx context.Context, call runtime.ToolCall) (runtime.ToolResult, bool, error) {
	run := s.tools[call.Tool.Name]
	if run == nil {
		return runtime.ToolResult{}, false, nil
	}
	result, err := run(ctx, call)

	return result, true, err
}

func (s shelf) OpenTools(context.Context, func(string) (string, bool)) (compiled.BuiltinTools, func() error, error) {
	s.note("open")

	return s, func() error {
		s.note("close")

		return errors.New("nobody is told")
	}, s.fails
}

func (s shelf) builtins(func(string) (string, bool)) (compiled.BuiltinTools, error) {
	s.note("open")

	return s, s.fails
}

func answers(text string) func(context.Context, runtime.ToolCall) (runtime.ToolResult, error) {
	return func(context.Context, runtime.ToolCall) (runtime.ToolResult, error) {
		return runtime.ToolResult{Text: text}, nil
	}
}

// remote is a tool of a server.
var remote = &runtime.ToolSpec{Name: "look", Server: "library", Effect: runtime.EffectRead}

// caller is a program whose agent calls tools one after the other; what they give is its result.
func caller(specs ...*runtime.ToolSpec) *compiled.Program {
	return &compiled.Program{Name: "caller", Entry: "a", Shape: "s", Agents: []compiled.Agent{{
		Name: "a",
		Run: func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			var got []string
			for _, spec := range specs {
				result, err := fx.Tool(runtime.ToolCall{Agent: "a", Tool: spec, Args: []byte(`{"key":"k","path":"p","url":"u"}`)})
				if err != nil {
					return runtime.Finish{}, err
				}
				got = append(got, result.Text+result.Problem)
			}

			return runtime.Finish{Value: strings.Join(got, "; ")}, nil
		},
	}}}
}

// TestToolsOfProgram: each run opens what runs its tools, asks it in order, and closes it.
func TestToolsOfProgram(t *testing.T) {
	var log []string
	own := &runtime.ToolSpec{Name: "own"}
	p := caller(rt.Builtin("mem_get"), rt.Builtin("files_read"), rt.Builtin("http_get"), remote)
	off, err := tools.On()(nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Builtins = shelf{name: "project", log: &log, tools: map[string]func(context.Context, runtime.ToolCall) (runtime.ToolResult, error){
		"mem_get": answers("never asked"), "files_read": answers("a file"), "own": answers("never asked"),
		"http_get": func(ctx context.Context, call runtime.ToolCall) (runtime.ToolResult, error) {
			result, _, err := off.Run(ctx, call)

			return result, err
		},
	}}.builtins
	p.Parts = []compiled.Part{
		shelf{name: "first", log: &log, tools: map[string]func(context.Context, runtime.ToolCall) (runtime.ToolResult, error){
			"look": func(_ context.Context, call runtime.ToolCall) (runtime.ToolResult, error) {
				if call.Run != nil {
					return runtime.ToolResult{}, errors.New("a server's tool is not a method")
				}

				return runtime.ToolResult{Text: "from " + call.Tool.Server}, nil
			},
			"files_read": answers("never asked"),
		}},
		shelf{name: "second", log: &log, tools: map[string]func(context.Context, runtime.ToolCall) (runtime.ToolResult, error){
			"http_get": answers("a page"), "look": answers("never asked"),
		}},
	}

	engine := core.New(core.Config{Env: variables{}.lookup})
	for range 2 {
		log = nil
		fin, err := engine.Run(t.Context(), p, "", "")
		if want := `nothing is stored under "k"; a file; a page; from library`; err != nil || fin.Value != want {
			t.Errorf("got %q, %v", fin.Value, err)
		}
		if want := "open project, open first, open second, close second, close first"; strings.Join(log, ", ") != want {
			t.Errorf("it went: %q", log)
		}
	}

	log = nil
	fx, err := engine.Effects(t.Context(), p)
	if err != nil || log != nil {
		t.Fatal(err, log)
	}
	if _, err := fx.Tool(runtime.ToolCall{Tool: own}); !errors.Is(err, runtime.ErrNotImplemented) || log != nil {
		t.Errorf("a typed tool came to others: %v, %q", err, log)
	}
	for range 2 {
		if result, err := fx.Tool(runtime.ToolCall{Tool: remote}); err != nil || result.Text != "from library" {
			t.Errorf("got %+v, %v", result, err)
		}
	}
	if err := fx.End(); err != nil || len(log) != 5 {
		t.Errorf("direct calls: %v, %q", err, log)
	}
}

// TestToolsAreNotOpened under a script, nor parts of a run that cannot begin.
func TestToolsAreNotOpened(t *testing.T) {
	var log []string
	bad := &runtime.BadSettingError{Name: "files.root", Value: "/", Problem: "is the whole disk"}
	p := caller(rt.Builtin("files_read"))
	p.Builtins = shelf{name: "project", log: &log, fails: bad}.builtins
	p.Parts = []compiled.Part{shelf{name: "part", log: &log}}
	p.Agents[0].Env = []string{"PEN"}

	scripted := core.New(core.Config{Script: `{"tools":{"files_read":[{"result":"scripted"}]}}`})
	if fin, err := scripted.Run(t.Context(), p, "", ""); err != nil || fin.Value != "scripted" || log != nil {
		t.Errorf("under a script: %+v, %v, %q", fin, err, log)
	}

	_, err := core.New(core.Config{Env: variables{}.lookup}).Run(t.Context(), p, "", "")
	var unset *core.MissingEnvError
	if !errors.Is(err, bad) || !errors.As(err, &unset) || !slices.Equal(log, []string{"open project"}) {
		t.Errorf("got %v; %q", err, log)
	}
}

// TestToolsOff: tools that the project has not turned on are reported before the run, with
// everything else that is missing, and servers are asked although a model is missing. A script
// needs none of it.
func TestToolsOff(t *testing.T) {
	var log []string
	p := caller()
	p.Agents[0].Builtins = []string{"bash", "files_write", "mem_get"}
	p.Agents[0].Model = &model.Choice{Name: "nobody:model"}
	p.Parts = []compiled.Part{shelf{name: "part", log: &log, fails: errors.New("the server hangs")}}
	p.Builtins = tools.On(files.Tools{Root: filepath.Join(os.DevNull, "folder")})
	_, err := core.New(core.Config{Env: variables{}.lookup}).Run(t.Context(), p, "", "")
	if err == nil {
		t.Fatal("it runs")
	}
	for _, want := range []string{
		`provider "nobody" is not part`, "the server hangs", `agent "a" calls tool "bash", which the project has not turned on`,
		"files.root", "cannot be written",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: does not say %s", err, want)
		}
	}
	if fin, err := core.New(core.Config{Script: "{}"}).Run(t.Context(), p, "", ""); err != nil {
		t.Errorf("under a script: %+v, %v", fin, err)
	}
}

// TestToolSourceFails: the run does not begin, and what was opened is closed.
func TestToolSourceFails(t *testing.T) {
	var log []string
	gone, refused := errors.New("the server is gone"), errors.New("the server refuses")
	p := caller(remote)
	p.Parts = []compiled.Part{
		shelf{name: "well", log: &log}, shelf{name: "gone", log: &log, fails: gone}, shelf{name: "refuses", log: &log, fails: refused},
	}
	store := journal.Memory()
	_, err := core.New(core.Config{Env: variables{}.lookup, Store: store}).Run(t.Context(), p, "", "")
	if !errors.Is(err, gone) || !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	want := []string{"open well", "open gone", "open refuses", "close refuses", "close gone", "close well"}
	if !slices.Equal(log, want) {
		t.Errorf("it went: %q", log)
	}
	if runs, err := store.List(t.Context(), journal.Query{}); err != nil || len(runs) != 0 {
		t.Errorf("there is a journal of a run that did not begin: %v, %v", runs, err)
	}

	p.Parts = []compiled.Part{panicking{}}
	var panicked *runtime.PanicError
	if _, err = core.New(core.Config{}).Run(t.Context(), p, "", ""); !errors.As(err, &panicked) || panicked.Where != "the tools of panicking" {
		t.Errorf("a part that panics: %v", err)
	}
}

type panicking struct{}

func (panicking) Part() string { return "panicking" }

func (panicking) OpenTools(context.Context, func(string) (string, bool)) (compiled.BuiltinTools, func() error, error) {
	panic("bang")
}

// TestNobodyRunsTool: the error says what to do.
func TestNobodyRunsTool(t *testing.T) {
	for _, c := range []struct {
		spec *runtime.ToolSpec
		want string
	}{
		{rt.Builtin("http_get"), `agent "a" calls tool "http_get", which the project has not turned on: ` +
			"add http: {allow: [api.example.com]} to agentc.yaml"},
		{remote, `agent "a" calls tool "look" of the MCP server "library": not available in this binary`},
	} {
		_, err := core.New(core.Config{}).Run(t.Context(), caller(c.spec), "", "")
		if !errors.Is(err, runtime.ErrNotAvailable) || err.Error() != c.want {
			t.Errorf("%s: %v", c.spec.Name, err)
		}
	}
	_, err := core.New(core.Config{Script: "{}"}).Run(t.Context(), caller(remote), "", "")
	var script *runtime.ScriptError
	if !errors.As(err, &script) || script.Section != "tools" {
		t.Errorf("under a script: %v", err)
	}
}

// TestRunnersAreLikeMethods: they learn who calls, a panic is told to the model, and a cancelled
// run does not wait for them.
func TestRunnersAreLikeMethods(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	cause := errors.New("enough")
	var log []string
	release := make(chan struct{})
	defer close(release)
	p := caller(remote, rt.Builtin("http_get"), rt.Builtin("bash"))
	p.Parts = []compiled.Part{shelf{name: "part", log: &log,
		tools: map[string]func(context.Context, runtime.ToolCall) (runtime.ToolResult, error){
			"look": func(ctx context.Context, _ runtime.ToolCall) (runtime.ToolResult, error) {
				info, _ := runtime.CallFromContext(ctx)

				return runtime.ToolResult{Text: info.Run + " at " + info.Address}, nil
			},
			"http_get": func(context.Context, runtime.ToolCall) (runtime.ToolResult, error) { panic("bang") },
			"bash": func(context.Context, runtime.ToolCall) (runtime.ToolResult, error) {
				cancel(cause)
				<-release

				return runtime.ToolResult{}, nil
			},
		},
	}}
	told := &watcher{}
	engine := core.New(core.Config{RunID: func() string { return "r1" }, Observer: told})
	if _, err := engine.Run(ctx, p, "", ""); err != cause {
		t.Errorf("got %v", err)
	}
	var heard []string
	for _, e := range told.events {
		if e.Kind == event.Tool {
			heard = append(heard, e.Text+e.Problem)
		}
	}
	if want := []string{"r1 at 1", "tool http_get panicked: bang"}; !slices.Equal(heard, want) {
		t.Errorf("heard %q", heard)
	}
	if log[len(log)-1] != "close part" {
		t.Errorf("it went: %q", log)
	}
}

// TestResumedRunOpensTools of its own.
func TestResumedRunOpensTools(t *testing.T) {
	var log []string
	down := errors.New("the server is down")
	p := caller(rt.Builtin("files_read"), remote)
	p.Builtins = shelf{name: "project", log: &log, tools: map[string]func(context.Context, runtime.ToolCall) (runtime.ToolResult, error){
		"files_read": answers("a file"),
	}}.builtins
	p.Parts = []compiled.Part{shelf{name: "part", log: &log,
		tools: map[string]func(context.Context, runtime.ToolCall) (runtime.ToolResult, error){
			"look": func(context.Context, runtime.ToolCall) (runtime.ToolResult, error) {
				if err := down; err != nil {
					down = nil

					return runtime.ToolResult{}, err
				}

				return runtime.ToolResult{Text: "up"}, nil
			},
		},
	}}
	engine := core.New(core.Config{Store: journal.Memory(), RunID: func() string { return "r1" }, Env: variables{}.lookup})
	if _, err := engine.Run(t.Context(), p, "", ""); !errors.Is(err, down) && (err == nil || err.Error() != "the server is down") {
		t.Errorf("got %v", err)
	}
	fin, err := engine.Resume(t.Context(), p, "r1", core.ResumeOptions{})
	if err != nil || fin.Value != "a file; up" {
		t.Errorf("resumed: %+v, %v", fin, err)
	}
	if want := "open project, open part, close part, open project, open part, close part"; strings.Join(log, ", ") != want {
		t.Errorf("it went: %q", log)
	}
}
