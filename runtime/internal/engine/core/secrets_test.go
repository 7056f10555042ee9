package core_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// What nothing may show: a variable that the program declares, one that an agent does, a key that
// an opener has looked up and one of the process.
const (
	declared = `pass/word "of" the desk`
	agents   = "value-of-the-agent's-variable"
	looked   = "sk-looked-up-by-the-opener"
	process  = "sk-key-of-the-process"
)

var showyEnv = variables{"DESK_PASSWORD": declared, "AGENT_VALUE": agents, "ACME_API_KEY": looked, "SHORT": "abc"}

func secretText() string {
	quoted, _ := json.Marshal(declared)

	return strings.Join([]string{
		declared, string(quoted), url.QueryEscape(declared), base64.StdEncoding.EncodeToString([]byte("user:" + agents)), agents, looked, process,
	}, " | ")
}

// leaks says which secrets a text has.
func leaks(text string) (found []string) {
	for _, secret := range []string{declared, agents, looked, process} {
		quoted, _ := json.Marshal(secret)
		for _, way := range []string{
			secret, strings.Trim(string(quoted), `"`), url.QueryEscape(secret), url.PathEscape(secret),
			strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(secret)), "="),
			// behind what is not a multiple of three bytes
			base64.RawStdEncoding.EncodeToString([]byte("user:" + secret))[8:],
		} {
			if strings.Contains(text, way) {
				found = append(found, way)
			}
		}
	}

	return found
}

// acmeOpener looks its key up, and its model fails with that.
func acmeOpener(fails func() error) map[string]model.Opener {
	return map[string]model.Opener{"acme": func(_ model.Model, env func(string) (string, bool)) (model.Provider, error) {
		if _, ok := env("ACME_API_KEY"); !ok {
			return nil, errors.New("there is no key")
		}

		return model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
			return model.Reply{Text: "fine"}, fails()
		}), nil
	}}
}

// shows is a program whose agent asks a model and then does what body says.
func shows(body func(fx runtime.Effects) (string, error)) *compiled.Program {
	choice := &model.Choice{Name: "acme:small"}

	return &compiled.Program{
		Name: "shows", Entry: "a", Shape: "s", Vars: []string{"DESK_PASSWORD", "SHORT"},
		Agents: []compiled.Agent{{
			Name: "a", Env: []string{"AGENT_VALUE"}, Model: choice,
			Run: func(fx runtime.Effects, _ string) (runtime.Finish, error) {
				if _, err := fx.Model(model.Request{Agent: "a", Model: choice}); err != nil {
					return runtime.Finish{}, err
				}
				text, err := body(fx)

				return runtime.Finish{Value: text}, err
			},
		}},
	}
}

// TestSecretsAreShownToNobody: what tools and guards say, and what anything fails with, is without
// them for the program, for observers and in the journal, and says the same about the errors of
// package runtime.
func TestSecretsAreShownToNobody(t *testing.T) {
	t.Setenv("SHOWY_AUTH_TOKEN", process)
	var none func() error = func() error { return nil }
	tool := func(spec *runtime.ToolSpec, run func() (runtime.ToolResult, error)) func(runtime.Effects) (string, error) {
		return func(fx runtime.Effects) (string, error) {
			result, err := fx.Tool(runtime.ToolCall{
				Agent: "a", Tool: spec, Args: []byte(`{"say":"${DESK_PASSWORD}"}`),
				Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) { return run() },
			})

			return result.Text + result.Problem, err
		}
	}
	own := &runtime.ToolSpec{Name: "own", OnUnknown: "retry"}
	call := func(fx runtime.Effects, run func() error) (string, error) {
		_, err := fx.Call(runtime.FuncCall{Name: "f", Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return nil, run()
		}})

		return "", err
	}

	for name, c := range map[string]struct {
		body  func(runtime.Effects) (string, error)
		model func() error
		// want says what kind of error the run ends with; nil if with none.
		want func(error) bool
	}{
		"tool": {body: tool(own, func() (runtime.ToolResult, error) { return runtime.ToolResult{Text: secretText()}, nil })},
		"tool, as JSON": {body: tool(own, func() (runtime.ToolResult, error) {
			text, _ := json.Marshal(map[string]string{"said": secretText()})

			return runtime.ToolResult{Text: string(text), JSON: true}, nil
		})},
		"tool's problem": {body: tool(own, func() (runtime.ToolResult, error) { return runtime.ToolResult{Problem: secretText()}, nil })},
		"tool's error":   {body: tool(own, func() (runtime.ToolResult, error) { return runtime.ToolResult{}, errors.New(secretText()) })},
		"tool's panic":   {body: tool(own, func() (runtime.ToolResult, error) { panic(secretText()) })},
		"tool, not written": {
			body: tool(own, func() (runtime.ToolResult, error) {
				return runtime.ToolResult{}, fmt.Errorf("%s: %w", secretText(), runtime.ErrNotImplemented)
			}),
			want: func(err error) bool { return errors.Is(err, runtime.ErrNotImplemented) },
		},
		"server's tool": {body: tool(remote, nil)},
		"built-in tool": {
			body: tool(rt.Builtin("bash"), nil), want: func(err error) bool { return err != nil },
		},
		"function's error": {
			body: func(fx runtime.Effects) (string, error) {
				return call(fx, func() error { return errors.New(secretText()) })
			},
			want: func(err error) bool { return strings.HasPrefix(err.Error(), `function "f": [redacted`) },
		},
		"function's panic": {
			body: func(fx runtime.Effects) (string, error) { return call(fx, func() error { panic(secretText()) }) },
			want: func(err error) bool {
				var panicked *runtime.PanicError

				return errors.As(err, &panicked) && len(panicked.Stack) > 0
			},
		},
		"guard's reason": {body: func(fx runtime.Effects) (string, error) {
			verdict, err := fx.Guard(runtime.GuardCall{Name: "g", Run: func(context.Context) (runtime.Verdict, error) {
				return runtime.Verdict{Reason: secretText()}, nil
			}})

			return verdict.Reason, err
		}},
		"guard's error": {
			body: func(fx runtime.Effects) (string, error) {
				_, err := fx.Guard(runtime.GuardCall{Name: "g", Run: func(context.Context) (runtime.Verdict, error) {
					return runtime.Verdict{}, errors.New(secretText())
				}})

				return "", err
			},
			want: func(err error) bool {
				var guard *runtime.GuardError

				return errors.As(err, &guard) && guard.Guard == "g"
			},
		},
		"model's error": {
			model: func() error {
				return &model.Error{Class: model.Auth, Status: 401, Err: errors.New(secretText())}
			},
			want: func(err error) bool {
				var failed *model.Error

				return errors.As(err, &failed) && failed.Class == model.Auth && failed.Status == 401
			},
		},
		"model's panic": {model: func() error { panic(secretText()) }, want: func(err error) bool { return err != nil }},
		"agent's panic": {
			body: func(runtime.Effects) (string, error) { panic(secretText()) },
			want: func(err error) bool { return strings.HasPrefix(err.Error(), "agent a panicked: [redacted") },
		},
		"branch's panic": {
			body: func(fx runtime.Effects) (string, error) {
				err := fx.Parallel(2, 0, func(int, runtime.Effects) error { panic(secretText()) })
				fx.Note(event.Event{Kind: event.Error, Problem: err.Error()})

				return "", err
			},
			want: func(err error) bool { return strings.Contains(err.Error(), "branch 1 panicked: [redacted") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.model == nil {
				c.model = none
			}
			var given string
			p := shows(func(fx runtime.Effects) (text string, err error) {
				given, err = c.body(fx)
				if err != nil {
					given += err.Error()
				}

				return given, err
			})
			p.Parts = []compiled.Part{shelf{name: "part", log: new([]string),
				tools: map[string]func(context.Context, runtime.ToolCall) (runtime.ToolResult, error){
					"look": answers(secretText()),
					"bash": func(context.Context, runtime.ToolCall) (runtime.ToolResult, error) {
						return runtime.ToolResult{}, errors.New(secretText())
					},
				},
			}}
			told, store := &watcher{}, journal.Memory()
			engine := core.New(core.Config{
				Providers: acmeOpener(c.model), Env: showyEnv.lookup, Observer: told, Store: store, RunID: func() string { return "r1" },
			})
			fin, err := engine.Run(t.Context(), p, "", "task")
			if err == nil != (c.want == nil) || err != nil && !c.want(err) {
				t.Errorf("the run ended with %v", err)
			}
			all := given + fin.Value + fmt.Sprintf("%v %+v %#v", err, err, err)
			for _, e := range told.events {
				all += string(e.AppendJSON(nil)) + fmt.Sprintf("%+v", e)
			}
			for _, r := range recordsOf(t, store) {
				all += fmt.Sprintf("%+v", r)
			}
			for _, secret := range leaks(all) {
				t.Errorf("%q is shown", secret)
			}
			for _, name := range []string{"DESK_PASSWORD", "AGENT_VALUE", "ACME_API_KEY", "SHOWY_AUTH_TOKEN"} {
				if !strings.Contains(all, "[redacted "+name+"]") {
					t.Errorf("%s was not found; the test shows nothing: %s", name, all)
				}
			}
		})
	}
}

// TestSecretsCostNothing where nothing is declared: a call of a tool takes the same memory with a
// secret that is not shown, and what takes secrets out of a result is made once a run.
func TestSecretsCostNothing(t *testing.T) {
	allocations := func(vars ...string) float64 {
		fx, err := core.New(core.Config{Env: showyEnv.lookup}).Effects(context.Background(), &compiled.Program{Vars: vars})
		if err != nil {
			t.Fatal(err)
		}
		call := runtime.ToolCall{Tool: &runtime.ToolSpec{Name: "own"}, Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
			return runtime.ToolResult{Text: "nothing to see"}, nil
		}}

		return testing.AllocsPerRun(100, func() {
			if _, err := fx.Tool(call); err != nil {
				t.Fatal(err)
			}
		})
	}
	if without, with := allocations(), allocations("DESK_PASSWORD", "AGENT_VALUE"); without != with || without > 5 {
		t.Errorf("a call takes %v allocations without secrets and %v with them", without, with)
	}
}
