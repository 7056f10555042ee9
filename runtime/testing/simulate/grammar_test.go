package simulate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	grammar "github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/enginetest"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// TestFaultyScripts: a script that cannot be read says where and why.
func TestFaultyScripts(t *testing.T) {
	for text, want := range map[string]string{
		``:                              `script: expected an object, found nothing`,
		` `:                             `script: expected an object, found nothing`,
		`[]`:                            `script: expected an object, found a list`,
		"{\n  \"a\": [,]}":              `script: is not JSON at line 2, column 9: invalid character ',' looking for beginning of value`,
		`{`:                             `script: is not JSON at line 1, column 1: unexpected end of JSON input`,
		`{"a":[]} x`:                    `script: is not JSON at line 1, column 10: invalid character 'x' after top-level value`,
		`{"a":[],"a":[]}`:               `script: "a" is there twice`,
		`{"a":{"say":"x"}}`:             `script, "a": expected a list, found an object`,
		`{"a":["x"]}`:                   `script, "a", turn 1: expected an object, found text`,
		`{"a":[{}]}`:                    `script, "a", turn 1: a turn holds say, call, finish or error; for an empty reply write say: ""`,
		`{"a":[{"say":"x"},{"sya":1}]}`: `script, "a", turn 2: unknown field "sya": there are say, call, finish, error, signal`,
		`{"a":[{"say":null}]}`:          `script, "a", turn 1: say: expected text, found null`,
		`{"a":[{"call":[]}]}`:           `script, "a", turn 1: call: expected at least one call, found none`,
		`{"a":[{"call":{"args":{}}}]}`:  `script, "a", turn 1: call 1: a call needs a name`,
		`{"a":[{"call":{"name":1}}]}`:   `script, "a", turn 1: call 1: name: expected text, found a number`,
		`{"a":[{"call":[{"name":"x"},{"name":"y","repeat":0}]}]}`: `script, "a", turn 1: call 2: repeat: found 0, expected a whole number from 1 to 100000`,
		`{"a":[{"call":{"name":"y","repeat":1e9}}]}`:              `script, "a", turn 1: call 1: repeat: found 1e9, expected a whole number from 1 to 100000`,
		`{"a":[{"finish":{"key":"k","vlaue":1}}]}`:                `script, "a", turn 1: finish: unknown field "vlaue": there are key, value`,
		`{"a":[{"finish":3}]}`:                                    `script, "a", turn 1: finish: expected an object, found a number`,
		`{"a":[{"error":{"status":42}}]}`:                         `script, "a", turn 1: error: status: found 42, expected an HTTP status from 100 to 599`,
		`{"a":[{"error":{"class":"net"}}]}`:                       `script, "a", turn 1: error: class: found "net", expected one of ["rate-limit" "overloaded" "server" "network" "timeout" "auth" "quota" "too-long" "refused" "bad-request" "other"]`,
		`{"a":[{"error":"x","say":"y"}]}`:                         `script, "a", turn 1: error is alone: a call that fails says nothing`,
		`{"a":[{"signal":"stop"}]}`:                               `script, "a", turn 1: signal is what comes while the model answers: the turn also needs say, call, finish or error`,
		`{"a":[{"say":"x","signal":[]}]}`:                         `script, "a", turn 1: signal: expected at least one signal, found none`,
		`{"a":[{"say":"x","signal":""}]}`:                         `script, "a", turn 1: signal: a signal needs a kind`,
		`{"a":[{"say":"x","signal":{"value":"y"}}]}`:              `script, "a", turn 1: signal: a signal needs a kind`,
		`{"a":[{"say":"x","signal":["a",{"kind":1}]}]}`:           `script, "a", turn 1: signal: kind: expected text, found a number`,
		`{"a":[{"say":"x","signal":{"kind":"a","vlaue":"y"}}]}`:   `script, "a", turn 1: signal: unknown field "vlaue": there are kind, value`,
		`{"a@two":[]}`: `script, "a@two": after @ comes the number of a branch, from 0`,
		`{"a@-1":[]}`:  `script, "a@-1": after @ comes the number of a branch, from 0`,
		`{"tools":[]}`: `script, tools: expected names with lists: expected an object, found a list`,
		`{"tools":{"t":[{"result":1,"error":"x"}]}}`: `script, tools, "t", turn 1: an answer holds result or error, one of them`,
		`{"tools":{"t":[{"error":""}]}}`:             `script, tools, "t", turn 1: error: expected text, found text`,
		`{"guards":{"g":[1]}}`:                       `script, guards, "g", turn 1: expected true, false or {ok, reason}, found a number`,
		`{"guards":{"g":[{"reason":"late"}]}}`:       `script, guards, "g", turn 1: ok is missing: a verdict says true or false`,
		`{"guards":{"g":[{"ok":"yes"}]}}`:            `script, guards, "g", turn 1: ok: found text`,
		`{"ask":{"q":"yes"}}`:                        `script, ask, "q": expected a list, found text`,
	} {
		err := grammar.Check(text, nil)
		var faulty *runtime.ScriptError
		if !errors.As(err, &faulty) || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestUnknownNames(t *testing.T) {
	fine := `{"blog/critique":[],"blog/draft@0":[],"approve":[],"approve/resume@3":[],"draft@2":[],"*":[],
		"tools":{"search_web":[],"search_web@1":[],"tama_http_get":[],"mem_set":[]},"ask":{"approve@1":[],"approve":[],"pay":[]}}`
	if err := grammar.Check(fine, flows); err != nil {
		t.Errorf("got %v", err)
	}
	err := grammar.Check(`{"drafft":[],"draft/x":[],"log/y@1":[],"blog":[],"blog/refine@1":[],"desk":[],"desk/a":[],
		"tools":{"search":[],"tama_search_web":[]},"ask":{"draft":[],"search_web":[],"aprove@1":[]},
		"guards":{"plan-is-god":[],"other":[]}}`, flows)
	const want = `script, "drafft": there is no agent "drafft" (did you mean "draft"?); there are a, approve, blog, desk, draft
script, "draft/x": agent "draft" has no step "x"; its turns are under draft
script, "log/y@1": there is no agent "log" (did you mean "blog"?); there are a, approve, blog, desk, draft
script, "blog": agent "blog" calls no model itself; its turns are under blog/draft, blog/critique
script, "blog/refine@1": agent "blog" has no step "refine"; its turns are under blog/draft, blog/critique
script, "desk": agent "desk" calls no model itself
script, "desk/a": agent "desk" has no step "a"
script, tools, "search": there is no tool "search"; there are pay, search_web, bash, files_read, files_write, http_get, http_post, mem_append, mem_get, mem_set
script, tools, "tama_search_web": there is no tool "tama_search_web" (did you mean "search_web"?); there are pay, search_web, bash, files_read, files_write, http_get, http_post, mem_append, mem_get, mem_set
script, guards, "plan-is-god": there is no guard "plan-is-god" (did you mean "plan-is-good"?); there are plan-is-good
script, guards, "other": there is no guard "other"; there are plan-is-good
script, ask, "draft": there is no question "draft"; there are approve, pay
script, ask, "search_web": there is no question "search_web"; there are approve, pay
script, ask, "aprove@1": there is no question "aprove" (did you mean "approve"?); there are approve, pay`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v", err)
	}
}

// ask asks for a turn of an agent that has the tool finish.
func ask(fx runtime.Effects, agent string, turn int) (string, error) {
	reply, err := fx.Model(model.Request{
		Agent: agent, Turn: turn, Input: "the \"task\"", Tools: []model.Tool{{Name: "finish"}},
	})
	text := reply.Text
	for _, call := range reply.Calls {
		text += "|" + call.Name + call.Args
	}

	return text, err
}

// TestTurns plays each form of a turn.
func TestTurns(t *testing.T) {
	for turn, want := range map[string]string{
		`{"say":"plain"}`:         `plain`,
		`{"say":""}`:              ``,
		`{"say":{"a": 1}}`:        `{"a":1}`,
		`{"say":"it: {{input}}"}`: `it: the "task"`,
		`{"finish":{"key":"k","value":"it: {{input}}"}}`: `|finish{"key":"k","value":"it: the \"task\""}`,
		`{"finish":{"value":[1, {"a":"b"}]}}`:            `|finish{"value":[1,{"a":"b"}]}`,
		`{"finish":"{\"key\": half"}`:                    `|finish{"key": half`,
		`{"finish":"{{input}} {{other}}"}`:               `|finishthe "task" {{other}}`,
		`{"call":{"name":"t"}}`:                          `|t{}`,
		`{"call":{"name":"t","args":{"q":"{{input}}"}}}`: `|t{"q":"the \"task\""}`,
		`{"call":{"name":"t","args":"{\"q\":"}}`:         `|t{"q":`,
		`{"call":{"name":"t","args":[1]}}`:               `|t[1]`,
		`{"call":{"name":"t","repeat":3}}`:               `|t{}|t{}|t{}`,
		`{"say":"s","finish":{"key":"k","value":1},"call":[{"name":"t"},{"name":"u","args":{}}]}`: `s|t{}|u{}|finish{"key":"k","value":1}`,
	} {
		got, err := ask(simulate.New(t, `{"a":[`+turn+`]}`), "a", 0)
		if err != nil || got != want {
			t.Errorf("%s: got %q, %v", turn, got, err)
		}
	}
}

func TestFailedTurns(t *testing.T) {
	for turn, want := range map[string]model.Error{
		`{"error":"broken"}`:       {Class: model.Other, Message: "broken"},
		`{"error":{"status":401}}`: {Class: model.Auth, Status: 401, Message: "so says the script"},
		`{"error":{"status":500,"class":"bad-request","message":"m","retry_after":1.5}}`: {
			Class: model.BadRequest, Status: 500, Message: "m", RetryAfter: 1500 * time.Millisecond,
		},
	} {
		_, err := ask(simulate.New(t, `{"a":[`+turn+`]}`), "a", 0)
		var failed *model.Error
		want.Agent, want.Model = "a", "script"
		if !errors.As(err, &failed) || *failed != want {
			t.Errorf("%s: got %+v", turn, err)
		}
	}
}

// TestErrorAtTheEndStays: repetitions of the call fail like the last turn, and the call is what fails, not the script.
func TestErrorAtTheEndStays(t *testing.T) {
	fx := simulate.New(t, `{"a":[{"error":{"status":503}},{"error":{"status":429}}]}`)
	_, err := ask(fx, "a", 0)
	var failed *model.Error
	if !errors.As(err, &failed) || failed.Status != 429 {
		t.Errorf("got %v", err)
	}
	_, err = ask(fx, "a", 1)
	var out *runtime.ScriptError
	if !errors.As(err, &out) {
		t.Errorf("asked again: %v", err)
	}
}

// failures are what was reported to a test.
type failures struct {
	text    string
	cleanup func()
}

func (f *failures) Helper()                           {}
func (f *failures) Errorf(format string, args ...any) { f.text += fmt.Sprintf(format, args...) + "\n" }
func (f *failures) Fatalf(format string, args ...any) { f.Errorf("fatal: "+format, args...) }
func (f *failures) Cleanup(cleanup func())            { f.cleanup = cleanup }

func TestNew(t *testing.T) {
	const left = `{"a":[{"say":"1"},{"say":"2"}],"b":[{"say":"x"}],"*":[{"say":"y"}],"tools":{"t":[{"result":1}]},
		"ask":{"q":["yes"]},"guards":{"g":[true,false,true]}}`
	failed := &failures{}
	fx := simulate.New(failed, left)
	if _, err := ask(fx, "a", 0); err != nil {
		t.Fatal(err)
	}
	if v, err := fx.Guard(runtime.GuardCall{Name: "g"}); err != nil || !v.OK {
		t.Fatal(v, err)
	}
	failed.cleanup()
	const want = `simulate: script, "a", turn 2: left over: 1 turn of 2
script, "b", turn 1: left over: 1 turn of 1 (the agent never asked for one)
script, tools, "t", turn 1: left over: 1 answer of 1 (the tool was never called)
script, ask, "q", turn 1: left over: 1 answer of 1 (the question was never asked)
script, guards, "g", turn 2: left over: 2 answers of 3
`
	if failed.text != want {
		t.Errorf("reported\n%s", failed.text)
	}

	partial := &failures{}
	simulate.NewWith(partial, left, engine.Options{Partial: true})
	partial.cleanup()
	if partial.text != "" {
		t.Errorf("partial: reported %s", partial.text)
	}
	faulty := &failures{}
	if fx := simulate.New(faulty, `{`); fx != nil || !strings.HasPrefix(faulty.text, "fatal: simulate: script: is not JSON") {
		t.Errorf("faulty: reported %s", faulty.text)
	}
	yaml := &failures{}
	if simulate.New(yaml, "a:\n  - say: x\n"); !strings.Contains(yaml.text, "agentc simulate --write-scripts DIR --format json writes scripts as JSON") {
		t.Errorf("YAML: reported %s", yaml.text)
	}
}

// TestComment: the member "//" is a comment, whatever it is.
func TestComment(t *testing.T) {
	fx := simulate.New(t, `{"//": ["one", {"two": 2}], "a": [{"say": "x"}]}`)
	if got, err := ask(fx, "a", 0); got != "x" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestUnanswered: a question that the script does not answer says what to add to the script, in a form that then answers it.
func TestUnanswered(t *testing.T) {
	for _, q := range []runtime.Question{
		{ID: "refund_order", Choices: []string{"yes", "no"}},
		{ID: "name"},
		{ID: "score", Schema: `{"type":"object","properties":{"score":{"type":"integer"}},"required":["score"]}`},
	} {
		_, err := simulate.New(t, `{}`).Ask(q)
		var paused *runtime.PausedError
		if !errors.As(err, &paused) || paused.Question.ID != q.ID {
			t.Fatalf("%s: got %v", q.ID, err)
		}
		before, lines, _ := strings.Cut(err.Error(), "; to answer it, add to the script: ")
		if want := fmt.Sprintf("the run is paused: question %q waits for an answer", q.ID); before != want {
			t.Errorf("%s: got %q", q.ID, before)
		}
		if q.Choices != nil && lines != `"ask": {"refund_order": ["yes"]}` {
			t.Errorf("%s: the lines are %s", q.ID, lines)
		}
		if answer, err := simulate.New(t, "{"+lines+"}").Ask(q); err != nil || answer.Value == "" {
			t.Errorf("%s: with %s got %v, %v", q.ID, lines, answer, err)
		}
	}
}

func TestAnyAgent(t *testing.T) {
	fx := simulate.New(t, `{"*":[{"say":"1"},{"say":"2"}],"b":[{"say":"own"}]}`)
	for _, c := range []struct {
		agent string
		turn  int
		want  string
	}{{"a", 0, "1"}, {"a", 1, "2"}, {"c", 0, "1"}, {"a", 0, "1"}, {"b", 0, "own"}, {"c", 1, "2"}, {"a", 1, "2"}} {
		if got, err := ask(fx, c.agent, c.turn); err != nil || got != c.want {
			t.Errorf("%+v: got %q, %v", c, got, err)
		}
	}
	_, err := ask(fx, "a", 2)
	const want = `script, "*": ran out: the list has 2 turns, and agent "a" asks for one more`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	_, err = ask(simulate.New(t, `{}`), "a", 0)
	if err == nil || err.Error() != `script, "a": there are no turns for this agent, and none under "*"` {
		t.Errorf("got %v", err)
	}
}

// TestBranches: each branch plays a list from its start, goes on with it when it is entered again, and has its own list by @.
func TestBranches(t *testing.T) {
	fx := simulate.New(t, `{"a":[{"say":"1"},{"say":"2"}],"a@2":[{"say":"own 1"},{"say":"own 2"}],"ask":{"q":["all"],"q@1":["one"]}}`)
	for round := 1; round <= 2; round++ {
		var got [3]string
		err := fx.Parallel(3, 0, func(i int, fx runtime.Effects) (err error) {
			got[i], err = ask(fx, "a", 0)

			return err
		})
		want := [3]string{fmt.Sprint(round), fmt.Sprint(round), fmt.Sprint("own ", round)}
		if err != nil || got != want {
			t.Errorf("round %d: got %q, %v", round, got, err)
		}
	}
	err := fx.Parallel(2, 0, func(i int, fx runtime.Effects) error {
		answer, err := fx.Ask(runtime.Question{ID: "q"})
		if want := []string{"all", "one"}[i]; answer.Value != want {
			t.Errorf("branch %d: got %q, %v", i, answer.Value, err)
		}

		return err
	})
	if err != nil {
		t.Error(err)
	}
	err = fx.Parallel(1, 0, func(_ int, fx runtime.Effects) error {
		_, err := ask(fx, "a", 0)

		return err
	})
	if err == nil || err.Error() != `script, "a": ran out: the list has 2 turns, and agent "a" asks for one more (in branch 0)` {
		t.Errorf("got %v", err)
	}
}

// TestStepsInGroupsWithinGroups: the nearest group counts, each branch has its own place in a list, and a group that runs again goes
// on where its branches stopped.
func TestStepsInGroupsWithinGroups(t *testing.T) {
	fx := simulate.New(t, `{"blog/draft":[{"say":"all 1"},{"say":"all 2"}],"blog/draft@1":[{"say":"one 1"},{"say":"one 2"}],"*":[{"say":"any"}]}`)
	for round := range 2 {
		err := fx.Parallel(2, 0, func(outer int, fx runtime.Effects) error {
			if got, err := ask(fx, "blog", 0); got != "any" || err != nil {
				t.Errorf("the body has %q, %v", got, err)
			}

			return fx.Parallel(2, 0, func(inner int, fx runtime.Effects) error {
				got, err := ask(fx, "blog/draft", 0)
				if want := fmt.Sprintf("%s %d", []string{"all", "one"}[inner], round+1); got != want {
					t.Errorf("round %d, branch %d.%d: got %q, %v", round, outer, inner, got, err)
				}

				return err
			})
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestInputInJSON: what stands for {{input}} in JSON is escaped as JSON needs it, and no further.
func TestInputInJSON(t *testing.T) {
	fx := simulate.New(t, `{"a":[{"call":{"name":"t","args":{"q":["{{input}}"]}}}]}`)
	reply, err := fx.Model(model.Request{Agent: "a", Input: "a<b> & \"c\" \\"})
	if want := `{"q":["a<b> & \"c\" \\"]}`; err != nil || len(reply.Calls) != 1 || reply.Calls[0].Args != want {
		t.Errorf("got %+v, %v, want %s", reply.Calls, err, want)
	}
}

func TestPeopleAndGuards(t *testing.T) {
	fx := simulate.New(t, `{"ask":{"q":["yes",true,false,{"a": 1},"perhaps"]},"guards":{"g":[false,{"ok":false,"reason":"too short"},{"ok":true}]}}`)
	yesNo := runtime.Question{ID: "q", Choices: []string{"yes", "no"}}
	for _, c := range []struct {
		q    runtime.Question
		want string
	}{{yesNo, "yes"}, {yesNo, "yes"}, {yesNo, "no"}, {runtime.Question{ID: "q"}, `{"a":1}`}} {
		if answer, err := fx.Ask(c.q); err != nil || answer.Value != c.want {
			t.Errorf("got %+v, %v", answer, err)
		}
	}
	_, err := fx.Ask(yesNo)
	if err == nil || err.Error() != `script, ask, "q", turn 5: the answer "perhaps" is not one of ["yes" "no"]` {
		t.Errorf("got %v", err)
	}
	_, err = fx.Ask(yesNo)
	if err == nil || err.Error() != `script, ask, "q": ran out: the list has 5 answers, and one more is asked for` {
		t.Errorf("got %v", err)
	}
	var paused *runtime.PausedError
	if _, err := fx.Ask(runtime.Question{ID: "other"}); !errors.As(err, &paused) {
		t.Errorf("got %v", err)
	}
	for _, want := range []runtime.Verdict{{}, {Reason: "too short"}, {OK: true}} {
		if v, err := fx.Guard(runtime.GuardCall{Name: "g"}); err != nil || v != want {
			t.Errorf("got %+v, %v", v, err)
		}
	}
	real := runtime.GuardCall{Name: "h", Run: func(context.Context) (runtime.Verdict, error) { return runtime.No("real"), nil }}
	if v, err := fx.Guard(real); err != nil || v.Reason != "real" {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestTools(t *testing.T) {
	fx := simulate.New(t, `{"tools":{"search":[{"result":"hits"},{"result":{"n": [1]}},{"error":"timeout"}],"tama_http_get":[{"result":"page"}]}}`)
	call := func(spec *runtime.ToolSpec) (runtime.ToolResult, error) {
		return fx.Tool(runtime.ToolCall{Agent: "a", Tool: spec, Args: json.RawMessage(`{"key":"k"}`), Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
			return runtime.ToolResult{Text: "real"}, nil
		}})
	}
	search := &runtime.ToolSpec{Name: "search"}
	for _, want := range []runtime.ToolResult{{Text: "hits"}, {Text: `{"n":[1]}`, JSON: true}, {Problem: "timeout"}} {
		if got, err := call(search); err != nil || got != want {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	_, err := call(search)
	if err == nil || err.Error() != `script, tools, "search": ran out: the list has 3 answers, and agent "a" calls the tool once more` {
		t.Errorf("got %v", err)
	}
	if got, err := call(&runtime.ToolSpec{Name: "save"}); err != nil || got.Text != "real" {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := call(rt.Builtin("http_get")); err != nil || got.Text != "page" {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := call(rt.Builtin("mem_get")); err != nil || !strings.Contains(got.Text, "nothing") {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = call(rt.Builtin("bash"))
	const want = `script, tools, "bash": agent "a" calls it, but it never runs under a script: give it a list of answers`
	if err == nil || err.Error() != want || !errors.Is(err, runtime.ErrNotAvailable) {
		t.Errorf("got %v", err)
	}
}

// TestToolsOfParallelCalls: what runs in parallel takes its answers in the order of the calls, in whatever order the branches run; and
// an agent that is entered again goes on with the list.
func TestToolsOfParallelCalls(t *testing.T) {
	skill := &rt.SkillSpec{Name: "web", Tools: []*runtime.ToolSpec{
		{Name: "look", Input: `{}`, Effect: runtime.EffectRead},
	}}
	spec := &rt.ReactSpec{Agent: "a", MaxIter: 9, Skills: []*rt.SkillSpec{skill}}
	twice := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		if _, err := spec.Run(fx, nil, input, rt.Place{}); err != nil {
			return runtime.Finish{}, err
		}

		return spec.Run(fx, nil, input, rt.Place{})
	}
	p := &compiled.Program{
		Agents: []compiled.Agent{{Name: "a", Run: twice}}, Tools: []*runtime.ToolSpec{skill.Tools[0]},
	}
	turns, answers := "", ""
	for round := range 2 {
		turns += `,{"call":[{"name":"read_skill","args":{"name":"web"}},{"name":"look","repeat":3},{"name":"nothing"}]},{"call":{"name":"look","args":{"n":2}}},{"say":"so"}`
		for i := range 4 {
			answers += fmt.Sprintf(`,{"result":"answer %d of round %d"}`, i, round)
		}
	}
	text := `{"a":[` + turns[1:] + `],"tools":{"look":[` + answers[1:] + `]}}`

	want := ""
	for seed := range int64(10) {
		seen := &toolResults{}
		engine := enginetest.Permute(core.Scripted(text, core.Config{Observer: seen}), seed)
		if _, err := engine.Run(context.Background(), p, "a", "task"); err != nil {
			t.Fatal(err)
		}
		sort.Strings(seen.lines)
		got := strings.Join(seen.lines, "\n")
		if want == "" {
			want = got
			const first = "2.0.1 answer 0 of round 0\n2.1.1 answer 1 of round 0\n2.2.1 answer 2 of round 0\n4 answer 3 of round 0\n7.0.1 answer 0 of round 1"
			if !strings.HasPrefix(got, first) {
				t.Errorf("got\n%s", got)
			}
		}
		if got != want {
			t.Errorf("order %d: got\n%s\nwant\n%s", seed, got, want)
		}
	}
}

type toolResults struct {
	mu    sync.Mutex
	lines []string
}

func (r *toolResults) Observe(e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Kind == event.Tool && e.Name == "look" {
		r.lines = append(r.lines, e.Address+" "+e.Text)
	}
}

// TestTimeIsSimulated: nobody waits, and the same script has the same times.
func TestTimeIsSimulated(t *testing.T) {
	fx := simulate.New(t, `{"a":[{"error":{"status":429,"retry_after":240}},{"say":"x"}]}`)
	start := fx.Now()
	if err := fx.Sleep(48 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(fx, "a", 0); err != nil {
		t.Fatal(err)
	}
	if got := fx.Now().Sub(start); got != 48*time.Hour+4*time.Minute || start.Year() != 2000 {
		t.Errorf("from %v, after %v", start, got)
	}
}

// flows is a program with what names in a script can mean.
var flows = func() *compiled.Program {
	model := &model.Choice{Role: "worker"}

	return &compiled.Program{
		Guards: []string{"plan-is-good"},
		Agents: []compiled.Agent{
			{Name: "a", Pattern: "react", Model: model},
			{Name: "approve", Pattern: "human", Steps: []compiled.Conversation{{Name: "approve", Model: model}, {Name: "approve/resume", Model: model}}},
			{Name: "blog", Pattern: "critic", Steps: []compiled.Conversation{{Name: "blog/draft", Model: model}, {Name: "blog/critique", Model: model}}},
			{Name: "desk", Pattern: "fsm", Contains: []string{"blog", "draft"}},
			{Name: "draft", Pattern: "oneshot", Model: model},
		},
		Tools: []*runtime.ToolSpec{{Name: "pay", Confirm: true}, {Name: "search_web"}},
	}
}()

// FuzzScript: no text makes the parser panic or hang; what it reads can be played to an end that is a reply, a pause or an error of the
// script or the model, in a branch as outside of one; and whatever names it has, they are known to a program or named.
func FuzzScript(f *testing.F) {
	f.Add(script)
	f.Add(`{"a":[{"say":"x"},{"error":"y"},{"finish":"{{input}}"},{"call":{"name":"t","repeat":3}}],"*":[],"a@1":[]}`)
	f.Add(`{"tools":{"t":[{"result":null}]},"ask":{"q":[1,true]},"guards":{"g":[true,{"ok":false}]}}`)
	f.Add(`{"blog/draft":[{"say":"x"}],"blog/draft@1":[{"say":"y"}],"ask":{"approve":["yes"],"approve@1":["no"]},"*":[{"say":"z"}]}`)
	f.Add(`{"blog/":[],"/draft":[],"blog/draft/x":[],"@1":[],"blog@1/draft":[],"approve/resume@0":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 || strings.Contains(text, "repeat") && strings.ContainsAny(text, "123456789") && len(text) > 1024 {
			return
		}
		if err := grammar.Check(text, flows); err != nil && runtime.ErrorType(err) != "ScriptError" {
			t.Fatalf("%v", err)
		}
		failed := &failures{}
		fx := simulate.NewWith(failed, text, engine.Options{Partial: true})
		if fx == nil {
			if !strings.HasPrefix(failed.text, "fatal: simulate: script") {
				t.Errorf("reported %s", failed.text)
			}

			return
		}
		playAll(t, fx)
		_ = fx.Parallel(2, 0, func(_ int, fx runtime.Effects) error {
			playAll(t, fx)

			return nil
		})
		failed.cleanup()
	})
}

// playAll asks for turns of an agent and of a step, and a person, until the script gives no more.
func playAll(t *testing.T, fx runtime.Effects) {
	allowed := func(err error) bool {
		name := runtime.ErrorType(err)

		return err == nil || name == "ScriptError" || name == "ModelError" || name == "PausedError"
	}
	for _, agent := range []string{"a", "blog/draft"} {
		for turn := range 20 {
			_, err := ask(fx, agent, turn)
			if !allowed(err) {
				t.Errorf("%s: %v", agent, err)
			}
			if runtime.ErrorType(err) == "ScriptError" {
				break
			}
		}
	}
	if _, err := fx.Ask(runtime.Question{ID: "approve"}); !allowed(err) {
		t.Errorf("asking: %v", err)
	}
}
