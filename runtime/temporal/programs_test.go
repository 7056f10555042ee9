package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/temporal"
)

// folderVariable names the folder in which tools of the tests leave what they did.
const folderVariable = "AGENTC_TEMPORAL_FOLDER"

// until waits until a file is there.
func until(ctx context.Context, name string) error {
	for {
		if _, err := os.Stat(filepath.Join(os.Getenv(folderVariable), name)); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// leave makes a file, if it is not there; first says that it was not.
func leave(name string) (first bool, err error) {
	f, err := os.OpenFile(filepath.Join(os.Getenv(folderVariable), name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}

	return true, f.Close()
}

// log adds a line to a file.
func logLine(name, line string) error {
	folder := os.Getenv(folderVariable)
	if folder == "" {
		return errors.New("the test is over")
	}
	f, err := os.OpenFile(filepath.Join(folder, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")

	return errors.Join(err, f.Close())
}

// payment is paid once for each idempotency key, as a bank does it.
var payment = ownTool{
	Spec: &runtime.ToolSpec{
		Name: "pay", Description: "Pays.", Input: `{"type":"object"}`, Effect: runtime.EffectExternal, Idempotent: true, OnUnknown: "ask",
	},
	Run: func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
		info, _ := runtime.CallFromContext(ctx)
		if err := logLine("asked", info.IdempotencyKey()); err != nil {
			return runtime.ToolResult{}, err
		}
		time.Sleep(20 * time.Millisecond)
		first, err := leave("paid-" + strings.ReplaceAll(info.IdempotencyKey(), "/", "-"))
		if err != nil || !first {
			return runtime.ToolResult{Text: "paid before"}, err
		}

		return runtime.ToolResult{Text: "paid"}, logLine("paid", info.IdempotencyKey())
	},
}

// deed may not happen twice; it says that it has begun, and never ends.
var deed = ownTool{
	Spec: &runtime.ToolSpec{
		Name: "deed", Description: "Does.", Input: `{"type":"object"}`, Effect: runtime.EffectExternal, OnUnknown: "ask",
	},
	Run: func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
		if err := logLine("deeds", "begun"); err != nil {
			return runtime.ToolResult{}, err
		}

		err := until(ctx, "enough")
		if ctx.Err() != nil {
			err = errors.Join(err, logLine("stopped", "deed"))
		}

		return runtime.ToolResult{Text: "done"}, err
	},
}

// ownTool is a tool of the tests.
type ownTool struct {
	Spec *runtime.ToolSpec
	Run  func(ctx context.Context, args json.RawMessage) (runtime.ToolResult, error)
}

// calling is a call of a tool of the tests.
func calling(t ownTool) runtime.ToolCall {
	return runtime.ToolCall{Agent: "main", ID: "1", Tool: t.Spec, Args: json.RawMessage(`{}`), Run: t.Run}
}

// solo is a program of one agent.
func solo(name, shape string, tools []ownTool, run func(runtime.Effects, string) (runtime.Finish, error)) *compiled.Program {
	specs := make([]*runtime.ToolSpec, len(tools))
	for i, tool := range tools {
		specs[i] = tool.Spec
	}

	return &compiled.Program{
		Name: name, Entry: "main", Shape: shape, Tools: specs,
		Call: func(ctx context.Context, name string, args json.RawMessage) (runtime.ToolResult, error) {
			i := slices.IndexFunc(tools, func(t ownTool) bool { return t.Spec.Name == name })

			return tools[i].Run(ctx, args)
		},
		Agents: []compiled.Agent{{Name: "main", Pattern: "react", Model: &model.Choice{Role: "worker"}, Run: run}},
	}
}

// payer pays three times, in a branch, too.
func payer() *compiled.Program {
	return solo("payer", "11112222333344445555666677778888", []ownTool{payment},
		func(fx runtime.Effects, input string) (runtime.Finish, error) {
			if _, err := fx.Tool(calling(payment)); err != nil {
				return runtime.Finish{}, err
			}
			if err := fx.Sleep(50 * time.Millisecond); err != nil {
				return runtime.Finish{}, err
			}
			err := fx.Parallel(2, 0, func(_ int, fx runtime.Effects) error {
				_, err := fx.Tool(calling(payment))

				return err
			})

			return runtime.Finish{Key: "done", Value: input}, err
		})
}

// doer does its deed.
func doer() *compiled.Program {
	return solo("doer", "aaaabbbbccccddddeeeeffff00001111", []ownTool{deed},
		func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			result, err := fx.Tool(calling(deed))

			return runtime.Finish{Key: "done", Value: result.Text + result.Problem}, err
		})
}

// talker is a react agent that calls a tool as often as its input says, and then finishes.
func talker() *compiled.Program {
	note := ownTool{
		Spec: &runtime.ToolSpec{Name: "note", Description: "Notes.", Input: `{"type":"object"}`, Effect: runtime.EffectRead},
		Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
			return runtime.ToolResult{Text: strings.Repeat("x", 1000)}, nil
		},
	}
	note.Spec.Check = func(json.RawMessage) error { return nil }
	spec := &rt.ReactSpec{
		Agent: "main", Prompt: "Talk.", Model: &model.Choice{Role: "worker"}, MaxIter: 1000, Stuck: 1000,
		Skills: []*rt.SkillSpec{{Name: "notes", Body: "Note.", Tools: []*runtime.ToolSpec{note.Spec}}},
	}

	return solo("talker", "99998888777766665555444433332222", []ownTool{note},
		func(fx runtime.Effects, input string) (runtime.Finish, error) {
			return spec.Run(fx, nil, input, rt.Place{})
		})
}

// chatter is the model of talker.
func chatter(_ context.Context, r model.Request) (model.Reply, error) {
	turns, err := strconv.Atoi(r.Input)
	if err != nil {
		return model.Reply{}, fmt.Errorf("the input is %q: %w", r.Input, err)
	}
	turn := 0
	for _, m := range r.Messages {
		if m.Role == model.RoleAssistant {
			turn++
		}
	}
	name, args := "note", `{}`
	switch {
	case turn == 0:
		name, args = "read_skill", `{"name":"notes"}`
	case turn == turns:
		name, args = "finish", `{"key":"done","value":"`+strconv.Itoa(len(r.Messages))+`"}`
	}

	return model.Reply{
		Text: strings.Repeat("y", 1000), Calls: []model.ToolCall{{ID: strconv.Itoa(turn), Name: name, Args: args}},
	}, nil
}

// quick are options whose workers are soon known to be gone.
func quick(blobs temporal.Files) temporal.Options {
	return temporal.Options{Blobs: blobs, Beat: 500 * time.Millisecond, Engine: engine.Options{Model: model.ProviderFunc(chatter)}}
}

func init() {
	programs["payer"], programs["doer"], programs["talker"], programs["curious"] = payer, doer, talker, curious
}

// branches runs so many branches as its input says, each with a tool.
func branches() *compiled.Program {
	one := counted
	return solo("branches", "12121212343434345656565678787878", []ownTool{one},
		func(fx runtime.Effects, input string) (runtime.Finish, error) {
			n, err := strconv.Atoi(input)
			if err != nil {
				return runtime.Finish{}, err
			}
			results := make([]string, n)
			err = fx.Parallel(n, 50, func(i int, fx runtime.Effects) error {
				result, err := fx.Tool(calling(one))
				results[i] = result.Text

				return err
			})

			return runtime.Finish{Key: "done", Value: strconv.Itoa(strings.Count(strings.Join(results, ""), "1"))}, err
		})
}

// busy has a tool used again and again in several branches.
func busy() *compiled.Program {
	return solo("busy", "b0b0b0b0b0b0b0b0", []ownTool{counted}, func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		err := fx.Parallel(8, 0, func(_ int, fx runtime.Effects) error {
			for range 10 {
				if _, err := fx.Tool(calling(counted)); err != nil {
					return err
				}
			}

			return nil
		})

		return runtime.Finish{Key: "done"}, err
	})
}

// counted gives a one.
var counted = ownTool{
	Spec: &runtime.ToolSpec{Name: "one", Description: "One.", Input: `{"type":"object"}`, Effect: runtime.EffectRead},
	Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
		return runtime.ToolResult{Text: "1"}, nil
	},
}

// echo gives its input to a tool, and finishes with what that gives back.
func echo() *compiled.Program {
	same := ownTool{
		Spec: &runtime.ToolSpec{Name: "same", Description: "Same.", Input: `{"type":"string"}`, Effect: runtime.EffectRead},
		Run: func(_ context.Context, args json.RawMessage) (runtime.ToolResult, error) {
			var text string
			err := json.Unmarshal(args, &text)

			return runtime.ToolResult{Text: text}, err
		},
	}

	return solo("echo", "abababab343434345656565678787878", []ownTool{same},
		func(fx runtime.Effects, input string) (runtime.Finish, error) {
			args, err := json.Marshal(input)
			if err != nil {
				return runtime.Finish{}, err
			}
			call := calling(same)
			call.Args = args
			result, err := fx.Tool(call)

			return runtime.Finish{Key: "done", Value: result.Text}, err
		})
}

// asker asks twice.
func asker() *compiled.Program {
	return solo("asker", "a5a5a5a5a5a5a5a5", nil, func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		var said []string
		for _, id := range []string{"first", "second"} {
			answer, err := fx.Ask(runtime.Question{ID: id, Agent: "main", Prompt: "May I?", Choices: []string{"yes", "no"}})
			if err != nil {
				return runtime.Finish{}, err
			}
			said = append(said, answer.Value)
		}

		return runtime.Finish{Key: "done", Value: strings.Join(said, " ")}, nil
	})
}

// sleeper waits for a year.
func sleeper() *compiled.Program {
	return solo("sleeper", "5151515151515151", nil, func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		return runtime.Finish{Key: "done"}, fx.Sleep(365 * 24 * time.Hour)
	})
}

// shaped is a program of a shape, which finishes with a word.
func shaped(shape, word string) *compiled.Program {
	return solo("shaped", shape, nil, func(runtime.Effects, string) (runtime.Finish, error) {
		return runtime.Finish{Key: "done", Value: word}, nil
	})
}
