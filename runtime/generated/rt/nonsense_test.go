package rt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/enginetest"
)

// nonsense is a model that answers whatever a string of bytes makes it say: plain text, empty
// replies, calls that exist or not, arguments that are JSON or not, finishes of every kind, floods.
type nonsense struct {
	bytes    []byte
	requests int
	// reads says that the first reply unlocks everything.
	reads bool
}

func (n *nonsense) next() int {
	if len(n.bytes) == 0 {
		return 0
	}
	b := n.bytes[0]
	n.bytes = n.bytes[1:]

	return int(b)
}

func (n *nonsense) pick(from ...string) string { return from[n.next()%len(from)] }

func (n *nonsense) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	n.requests++
	if n.reads && n.requests == 1 {
		return model.Reply{Calls: []model.ToolCall{
			{Name: "read_skill", Args: `{"name":"web"}`}, {Name: "read_skill", Args: `{"name":"memory"}`},
			{Name: "look", Args: `{"n":1}`}, {Name: "fail"}, {Name: "look", Args: `{"n":2}`},
		}}, nil
	}
	if n.next()%16 == 15 {
		return model.Reply{}, &model.Error{Class: model.BadRequest}
	}

	reply := model.Reply{Text: n.pick("", " ", "yes", "42", "done", "```\n1\n```", "\xff\u2028")}
	for range n.next() % 4 {
		call := model.ToolCall{ID: "id", Name: n.pick("start", "finish", "read_skill", "look", "save", "wipe", "boom", "fail", "mem_set", "tama_mem_get", "nothing", "")}
		call.Args = n.pick(`{}`, ``, `{"key":"yes","value":"x"}`, `{"key":"YES ","value":7}`, `{"key":"maybe","value":null}`, `{"key":3}`,
			`{"name":"web"}`, `{"name":"memory"}`, `{"name":1}`, `{"key":"k","value":"v"}`, `{"key":"done","value":"x"}`, `[`, `"`, `null`,
			`{"key":"yes","value":["a","b","c"]}`, `{"key":"yes","value":"[1,2]"}`, `{"key":"yes","value":[]}`,
			`{"key":"yes","key":"no","value":"x"}`, `{"key":"","value":""}`, `{"value":"42"}`, "\xff", strings.Repeat("[", 2000))
		times := 1
		if n.next()%32 == 31 {
			times = 1000
		}
		for range times {
			reply.Calls = append(reply.Calls, call)
		}
	}

	return reply, nil
}

// conduct watches that tools run only when a skill has unlocked them, and counts those of a turn.
type conduct struct {
	t        *testing.T
	unlocked map[string]bool
	ran      int
}

func (c *conduct) Observe(e event.Event) {
	switch {
	case e.Kind == event.Model:
		c.ran = 0
	case e.Kind != event.Tool || e.Problem != "" || e.Name == "start":
	case e.Name == "read_skill":
		var in struct{ Name string }
		if json.Unmarshal([]byte(e.Args), &in) == nil {
			c.unlocked[in.Name] = true
		}
	default:
		skill := "web"
		if strings.HasPrefix(e.Name, "mem_") {
			skill = "memory"
		}
		if !c.unlocked[skill] {
			c.t.Errorf("%s ran before %s was unlocked", e.Name, skill)
		}
		if c.ran++; c.ran > 100 {
			c.t.Errorf("%d calls ran in one turn", c.ran)
		}
	}
}

// yes allows every call.
type yes struct{}

func (yes) Ask(context.Context, runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: "yes"}, nil
}

// FuzzNonsense: whatever a model says, an agent ends within its limits with a key that is legal
// where it stands, or with an error of a type that says what happened.
func FuzzNonsense(f *testing.F) {
	f.Add([]byte{0, 0, 1, 1, 2, 0})
	f.Add([]byte("the quick brown fox jumps over the lazy dog"))
	f.Add([]byte{0, 2, 1, 2, 6, 0, 0, 0, 1, 3, 0, 31, 0, 0, 1, 5, 0, 0})
	f.Add([]byte{0, 1, 2, 2, 6, 0, 3, 0, 31, 0, 0, 0, 1, 1, 2, 0})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		n := &nonsense{bytes: bytes}
		spec := testAgent()
		spec.MaxIter, spec.Repair, spec.Stuck = 1+n.next()%12, n.next()%4, n.next()%6
		if n.next()%4 == 0 {
			spec.Keys = []string{"yes", "no"}
		}
		if n.next()%2 == 0 {
			spec.Output = &rt.OutputSpec{Schema: `{"type":"number"}`, Check: checkNumber}
		}
		if n.next()%4 == 3 {
			spec.List = &rt.ListSpec{Kind: "items", Key: "Yes", Max: 2}
		}
		place := n.pick("free", "open yes", "closed yes no", "closed done")
		watch := &conduct{t: t, unlocked: map[string]bool{}}
		fx, err := core.New(core.Config{Model: n, Observer: watch, Asker: yes{}}).Effects(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}

		fin, err := spec.Run(fx, testTool, "the task", placeOf(place))
		if n.requests > spec.MaxIter {
			t.Errorf("%d turns of %d", n.requests, spec.MaxIter)
		}
		if err != nil {
			checkError(t, spec, err, fin)

			return
		}
		checkFinish(t, spec, place, fin)
	})
}

func checkError(t *testing.T, spec *rt.ReactSpec, err error, fin runtime.Finish) {
	if fin != (runtime.Finish{}) {
		t.Errorf("a result beside the error: %+v", fin)
	}
	known := []string{
		"MissingFinishError", "InvalidTransitionError", "OutputError", "ItemLimitError", "IterationLimitError", "StuckError", "ModelError",
	}
	if got := runtime.ErrorType(err); !slices.Contains(known, got) {
		t.Errorf("%s: %v", got, err)
	}
	var stuck *runtime.StuckError
	if errors.As(err, &stuck) && (spec.Stuck == 0 || stuck.Times < spec.Stuck) {
		t.Errorf("stuck after %d of %d", stuck.Times, spec.Stuck)
	}
}

func checkFinish(t *testing.T, spec *rt.ReactSpec, place string, fin runtime.Finish) {
	legal := spec.Keys
	if words := strings.Fields(place); legal == nil && words[0] == "closed" {
		legal = words[1:]
	}
	if legal != nil && !slices.Contains(legal, wording.Fold(fin.Key)) {
		t.Errorf("key %q of %q", fin.Key, legal)
	}
	if fin.Synthetic && (fin.Key != "done" || place == "open yes" || legal != nil && !slices.Equal(legal, []string{"done"})) {
		t.Errorf("synthetic %+v at %s", fin, place)
	}
	if fin.JSON && !json.Valid([]byte(fin.Value)) {
		t.Errorf("the value %q is not JSON", fin.Value)
	}
	if spec.List != nil && fin.Is(spec.List.Key) {
		if items := rt.ListKind("items").Items(fin); len(items) == 0 || len(items) > spec.List.Max {
			t.Errorf("the value %q is a list of %d items", fin.Value, len(items))
		}

		return
	}
	if spec.Output != nil && (!fin.JSON || checkNumber(json.RawMessage(fin.Value)) != nil) {
		t.Errorf("the value %q does not fit", fin.Value)
	}
}

// TestNonsensePermuted: conversations at random end the same, and have done the same at the same
// addresses, in whatever order their parallel calls run.
func TestNonsensePermuted(t *testing.T) {
	for seed := range int64(100) {
		bytes := make([]byte, 200)
		rand.New(rand.NewSource(seed)).Read(bytes)
		want := permutedNonsense(t, bytes, func(e compiled.Engine) compiled.Engine { return e })
		for order := range int64(3) {
			got := permutedNonsense(t, bytes, func(e compiled.Engine) compiled.Engine { return enginetest.Permute(e, order) })
			if got != want {
				t.Fatalf("seed %d, order %d: got\n%s\nwant\n%s", seed, order, got, want)
			}
		}
	}
}

func permutedNonsense(t *testing.T, bytes []byte, permute func(compiled.Engine) compiled.Engine) string {
	t.Helper()
	n := &nonsense{bytes: bytes, reads: true}
	spec := testAgent()
	var seen events
	engine := permute(core.New(core.Config{Model: n, Observer: &seen, Asker: yes{}}))
	program := &compiled.Program{Agents: []compiled.Agent{{Name: "a", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
		if err := groups(fx, spec); err != nil {
			return runtime.Finish{}, err
		}

		return spec.Run(fx, testTool, input, rt.Closed("m", "s", "yes", "no"))
	}}}}
	fin, err := engine.Run(context.Background(), program, "a", "the task")

	return fmt.Sprintf("%+v %v\n%s", fin, err, enginetest.Trace(seen))
}

// groups runs tools in groups of groups before the agent is asked anything.
func groups(fx runtime.Effects, spec *rt.ReactSpec) error {
	return fx.Parallel(3, 2, func(i int, fx runtime.Effects) error {
		return fx.Parallel(2, 0, func(j int, fx runtime.Effects) error {
			_, err := fx.Tool(runtime.ToolCall{
				Agent: spec.Agent, Tool: spec.Skills[0].Tools[0], Args: json.RawMessage(fmt.Sprintf("[%d,%d]", i, j)),
				Run: func(ctx context.Context, args json.RawMessage) (runtime.ToolResult, error) {
					return testTool(ctx, "look", args)
				},
			})

			return err
		})
	})
}

// events collects what an observer is told.
type events []event.Event

func (e *events) Observe(event event.Event) { *e = append(*e, event) }

// TestFlood: a thousand calls in one turn run up to the bound, each is answered, and the agent goes
// on.
func TestFlood(t *testing.T) {
	var answered, refused int
	turn := 0
	fx, err := core.New(core.Config{Model: model.ProviderFunc(func(_ context.Context, r model.Request) (model.Reply, error) {
		turn++
		switch turn {
		case 1:
			calls := []model.ToolCall{{Name: "read_skill", Args: `{"name":"web"}`}}
			for range 1000 {
				calls = append(calls, model.ToolCall{Name: "look"})
			}

			return model.Reply{Calls: calls}, nil
		}
		for _, m := range r.Messages {
			if m.Name == "look" && m.Failed {
				refused++
			} else if m.Name == "look" {
				answered++
			}
		}

		return model.Reply{Text: "enough"}, nil
	})}).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	fin, err := testAgent().Run(fx, testTool, "the task", rt.Place{})
	if err != nil || fin.Value != "enough" {
		t.Fatalf("got %+v, %v", fin, err)
	}
	if answered != 99 || refused != 901 {
		t.Errorf("%d ran and %d were refused", answered, refused)
	}
}
