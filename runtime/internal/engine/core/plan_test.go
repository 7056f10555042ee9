package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// op is one thing that a plan does; inner are the branches of a group, or what is tried again.
type op struct {
	kind  string
	name  string
	n     int
	inner [][]op
}

// plan is an orchestration that was drawn by chance.
func plan(r *rand.Rand, depth int) []op {
	ops := make([]op, 1+r.IntN(4))
	kinds := []string{
		"model", "model", "read", "idempotent", "once", "func", "repeatable", "failing", "guard", "ask", "sleep", "now", "note",
		"set", "get", "append", "flaky", "group", "together", "retry", "loop",
	}
	for i := range ops {
		kind := kinds[r.IntN(len(kinds))]
		o := op{kind: kind, name: kind, n: r.IntN(3)}
		switch kind {
		case "group", "together", "retry", "loop":
			if depth == 0 {
				o.kind, o.name = "model", "model"

				break
			}
			o.inner = make([][]op, 1+r.IntN(3))
			for b := range o.inner {
				o.inner[b] = plan(r, depth-1)
			}
		}
		ops[i] = o
	}

	return ops
}

// world is what the effects of plans do, and how often. What they give back depends on nothing but
// what was asked.
type world struct {
	mu sync.Mutex
	// done counts the executions of an effect, by its address.
	done map[string]int
	// asked are the questions that were put, by id.
	asked map[string]int
	// unknown is what is answered where an outcome is not known.
	unknown string
}

func newWorld() *world {
	return &world{done: map[string]int{}, asked: map[string]int{}, unknown: "again"}
}

func (w *world) did(address string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done[address]++
}

// times is how often an effect was done; one that nobody waits for any more may still be at work.
func (w *world) times(address string) int {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.done[address]
}

func (w *world) didIn(ctx context.Context) {
	call, _ := runtime.CallFromContext(ctx)
	w.did(call.Address)
}

func (w *world) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	if strings.HasPrefix(r.Agent, "flaky") {
		return model.Reply{}, &model.Error{Status: 400, Class: model.BadRequest, Message: "no to " + r.Input}
	}

	return model.Reply{
		Text: "reply to " + r.Input, Calls: []model.ToolCall{{ID: "c\xff", Name: "finish", Args: `{"a":1}`}},
		Usage: model.Usage{Input: len(r.Input), Output: 1, Cached: 2, Stored: 1}, StopReason: "stop", Model: "acme:x",
		Cost: int64(len(r.Input)), Carry: "kept\x00\xff of " + r.Input,
	}, nil
}

func (w *world) Ask(_ context.Context, q runtime.Question) (runtime.Answer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked[q.ID]++
	if strings.HasPrefix(q.ID, "unknown:") {
		return runtime.Answer{Value: w.unknown, By: "oracle"}, nil
	}

	return runtime.Answer{Value: "answer to " + q.Prompt, By: "ada"}, nil
}

var specs = map[string]*runtime.ToolSpec{
	"read":       {Name: "read", Effect: runtime.EffectRead},
	"idempotent": {Name: "idempotent", Effect: runtime.EffectExternal, Idempotent: true},
	"once":       {Name: "once", Effect: runtime.EffectExternal, OnUnknown: "ask"},
	"set":        {Name: "mem_set", Builtin: true, Effect: runtime.EffectWrite},
	"get":        {Name: "mem_get", Builtin: true, Effect: runtime.EffectRead},
	"append":     {Name: "mem_append", Builtin: true, Effect: runtime.EffectWrite},
}

// walk does what a plan says and returns what it came to.
type walk struct {
	world *world
	fx    runtime.Effects
	// path keeps apart what branches do.
	path string
	said []string
}

func (w *walk) say(what ...any) { w.said = append(w.said, fmt.Sprint(what...)) }

func (w *walk) do(ops []op) error {
	for i, o := range ops {
		if err := w.one(o, w.path+"/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}

	return nil
}

func (w *walk) one(o op, at string) error {
	switch o.kind {
	case "model", "flaky":
		reply, err := w.fx.Model(model.Request{Agent: o.name, Input: at, Messages: []model.Message{{Role: model.RoleUser, Text: at}}})
		if err != nil && (o.kind != "flaky" || runtime.EndsRun(err)) {
			return err
		}
		var failed *model.Error
		w.say(reply.Text, reply.Calls, reply.Usage, reply.Cost, errors.As(err, &failed) && failed.Status == 400, err)
	case "read", "idempotent", "once", "set", "get", "append":
		return w.tool(o, at)
	case "func", "repeatable", "failing":
		result, err := w.fx.Call(runtime.FuncCall{
			Name: o.name, Args: json.RawMessage(`"` + at + `"`), Repeatable: o.kind == "repeatable",
			Run: func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
				w.world.didIn(ctx)
				if o.kind == "failing" {
					return nil, fmt.Errorf("it does not do %s", args)
				}

				return args, nil
			},
		})
		if err != nil && runtime.EndsRun(err) {
			return err
		}
		w.say(string(result.Value), err)
	case "guard":
		verdict, err := w.fx.Guard(runtime.GuardCall{
			Machine: "m", State: at, Key: "k", Name: "g",
			Run: func(ctx context.Context) (runtime.Verdict, error) {
				w.world.didIn(ctx)

				return runtime.No("not " + at), nil
			},
		})
		w.say(verdict, err)
		if err != nil {
			return err
		}
	case "ask":
		answer, err := w.fx.Ask(runtime.Question{ID: "q" + strconv.Itoa(o.n), Prompt: at})
		w.say(answer)
		if err != nil {
			return err
		}
	case "sleep":
		return w.fx.Sleep(time.Duration(o.n) * time.Second)
	case "now":
		w.fx.Now()
	case "note":
		w.fx.Note(event.Event{Kind: event.Enter, Machine: "m", State: at, Visit: 1})
		w.fx.Note(event.Event{Kind: event.Enter, Machine: "m", State: "twice", Visit: 1})
		w.fx.Note(event.Event{Kind: event.Enter, Machine: "m", State: "twice", Visit: 1})
	case "group":
		return w.group(o, at)
	case "together":
		return w.together(o, at)
	case "retry":
		var err error
		for try := range 3 {
			if err = w.do(o.inner[0]); err == nil {
				err = w.fx.Sleep(0)
			}
			if runtime.EndsRun(err) {
				return err
			}
			w.say("try", try)
		}
	case "loop":
		for turn := range o.n {
			if err := w.do(o.inner[turn%len(o.inner)]); err != nil {
				return err
			}
		}
	}

	return nil
}

func (w *walk) tool(o op, at string) error {
	args := `{"key":"` + at + `","value":"` + at + `","item":"` + at + `"}`
	if o.kind == "append" {
		args = `{"key":"all","item":"` + at + `"}`
	}
	result, err := w.fx.Tool(runtime.ToolCall{
		Agent: "a", Tool: specs[o.kind], Args: json.RawMessage(args),
		Run: func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
			w.world.didIn(ctx)

			return runtime.ToolResult{Text: o.kind + " " + at, JSON: o.n == 1}, nil
		},
	})
	if o.kind != "append" {
		w.say(result)
	}

	return err
}

func (w *walk) group(o op, at string) error {
	inner := make([]*walk, len(o.inner))
	err := w.fx.Parallel(len(o.inner), o.n, func(i int, fx runtime.Effects) error {
		inner[i] = &walk{world: w.world, fx: fx, path: at + "." + strconv.Itoa(i)}

		return inner[i].do(o.inner[i])
	})
	for _, one := range inner {
		if one != nil {
			w.said = append(w.said, one.said...)
		}
	}

	return err
}

// together is a group that makes up for branches that fail.
func (w *walk) together(o op, at string) error {
	branches := make([]rt.Branch, len(o.inner))
	for i := range branches {
		branches[i] = rt.Branch{Name: strconv.Itoa(i), Run: func(fx runtime.Effects, _ string, _ ...rt.Place) (runtime.Finish, error) {
			inner := &walk{world: w.world, fx: fx, path: at + "." + strconv.Itoa(i)}
			if err := inner.do(o.inner[i]); err != nil {
				return runtime.Finish{}, err
			}
			if i == o.n {
				panic("branch " + at)
			}

			return runtime.Finish{Value: strings.Join(inner.said, ";")}, nil
		}}
	}
	results, err := rt.Flow("group").Together(w.fx, 0, "", branches...)
	if runtime.EndsRun(err) {
		return err
	}
	w.say(results.Document(), err)

	return nil
}

// planned is a program that does what a plan says. What all branches have appended to one list is
// its value, too.
func planned(w *world, ops []op) *compiled.Program {
	return &compiled.Program{Name: "plan", Entry: "plan", Shape: "s1", Text: "t1", Agents: []compiled.Agent{{
		Name: "plan", Model: &model.Choice{}, Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			walk := &walk{world: w, fx: fx, path: input}
			if err := walk.do(ops); err != nil {
				return runtime.Finish{}, err
			}
			all, err := fx.Tool(runtime.ToolCall{Tool: specs["get"], Args: json.RawMessage(`{"key":"all"}`)})
			if err != nil {
				return runtime.Finish{}, err
			}
			var items []string
			_ = json.Unmarshal([]byte(all.Text), &items)
			slices.Sort(items)
			fx.Note(event.Event{Kind: event.Finish, Agent: "plan", Value: "planned"})

			return runtime.Finish{Key: "done", Value: strings.Join(walk.said, "\n") + "\n" + strings.Join(items, ",")}, nil
		},
	}}}
}

func journalling(w *world, store journal.Store) *core.Engine {
	return core.New(core.Config{
		Model: w, Asker: w, Store: store, RunID: func() string { return "r1" }, Clock: clock.NewSkip(time.Unix(1e9, 0)),
		Retry: model.Retry{Attempts: 1},
	})
}
