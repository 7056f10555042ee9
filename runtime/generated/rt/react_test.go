package rt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// TestReact plays the cases of testdata/react. A case is a file of sections that begin with a line
// `-- name --`: agent (JSON, what differs from testAgent), place, script (JSON), and want, the
// conversation with its result.
func TestReact(t *testing.T) {
	files, err := filepath.Glob("testdata/react/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sections := sectionsOf(string(content))
			got := converse(t, sections)
			if got == sections["want"] {
				return
			}
			if !*golden.Update {
				t.Fatalf("got\n%s\nwant\n%s", got, sections["want"])
			}
			head, _, _ := strings.Cut(string(content), "-- want --\n")
			golden.Write(t, file, head+"-- want --\n"+got)
		})
	}
}

// sectionsOf splits a case.
func sectionsOf(content string) map[string]string {
	sections := map[string]string{}
	name := ""
	for _, line := range strings.SplitAfter(content, "\n") {
		if bare := strings.TrimSpace(line); strings.HasPrefix(bare, "-- ") && strings.HasSuffix(bare, " --") {
			name = strings.TrimSuffix(strings.TrimPrefix(bare, "-- "), " --")

			continue
		}
		sections[name] += line
	}

	return sections
}

// converse runs the case's agent and returns the conversation.
func converse(t *testing.T, sections map[string]string) string {
	spec := testAgent()
	if text := sections["agent"]; text != "" {
		var given struct {
			MaxIter, Repair, Stuck *int
			Keys                   []string
			Skills                 *[]string
			Output                 string
			List                   *rt.ListSpec
		}
		if err := json.Unmarshal([]byte(text), &given); err != nil {
			t.Fatal(err)
		}
		override(&spec.MaxIter, given.MaxIter)
		override(&spec.Repair, given.Repair)
		override(&spec.Stuck, given.Stuck)
		spec.Keys, spec.List = given.Keys, given.List
		if given.Skills != nil {
			spec.Skills = nil
		}
		if given.Output != "" {
			spec.Output = &rt.OutputSpec{Schema: given.Output, Check: checkNumber}
		}
	}

	var log strings.Builder
	events := &eventLog{log: &log}
	fx := &recorder{
		Effects: simulate.NewWith(t, sections["script"], engine.Options{Partial: true, Observers: []event.Observer{events}}), log: &log, events: events,
	}
	fin, err := runAgent(fx, spec, sections)
	events.flush()
	if err != nil {
		fmt.Fprintf(&log, "= %s: %s\n", runtime.ErrorType(err), namesIn(err.Error()))
	} else {
		fmt.Fprintf(&log, "= key %q, value %q, json %v, synthetic %v\n", fin.Key, fin.Value, fin.JSON, fin.Synthetic)
	}

	return log.String()
}

// runAgent runs the agent, behind its gate if the case has one.
func runAgent(fx *recorder, spec *rt.ReactSpec, sections map[string]string) (runtime.Finish, error) {
	at := placeOf(sections["place"])
	text, gated := sections["gate"]
	if !gated {
		return spec.Run(fx, testTool, "the task", at)
	}
	fx.whole = true
	gate, ungated := gateOf(text)
	spec.Ungated = ungated

	return spec.RunGated(fx, testTool, "the task", rt.Started{gate}, at)
}

func override(into *int, given *int) {
	if given != nil {
		*into = *given
	}
}

// placeOf reads free, closed KEY…, open KEY… or, of a place in a machine, or KEY….
func placeOf(text string) rt.Place {
	words := strings.Fields(text)
	if len(words) == 0 || words[0] == "free" {
		return rt.Place{}
	}
	switch words[0] {
	case "open":
		return rt.Open("machine", "state", words[1:]...)
	case "or":
		return rt.Closed("a", "map", words[1:]...).Or(rt.Closed("machine", "state", "publish"))
	}

	return rt.Closed("machine", "state", words[1:]...)
}

// checkNumber is the check of {"type":"number"}.
func checkNumber(value json.RawMessage) error {
	var number float64
	if err := json.Unmarshal(value, &number); err != nil || string(value) == "null" {
		return &runtime.ValueError{Problem: "found " + string(value) + ", expected a number"}
	}

	return nil
}

func testAgent() *rt.ReactSpec {
	tool := func(name string, effect runtime.Effect, confirm bool) *runtime.ToolSpec {
		return &runtime.ToolSpec{
			Name: name, Description: "Does " + name + ".", Input: `{"type":"object"}`, Effect: effect, Confirm: confirm,
			Check: func(args json.RawMessage) error {
				if !strings.HasPrefix(string(args), "{") {
					return &runtime.ValueError{Problem: "found " + string(args) + ", expected an object"}
				}

				return nil
			},
		}
	}

	return &rt.ReactSpec{
		Agent: "a", Prompt: "You are a.\n", MaxIter: 10, Repair: 2, Stuck: 4,
		Skills: []*rt.SkillSpec{
			{
				Name: "web", Description: "Looks things up.\n  In the web.", Body: "How to look things up.",
				Tools: []*runtime.ToolSpec{
					tool("look", runtime.EffectRead, false), tool("save", runtime.EffectWrite, false),
					tool("wipe", runtime.EffectExternal, true), tool("boom", runtime.EffectExternal, false),
					tool("fail", runtime.EffectRead, false),
				},
			},
			{
				Name: "memory", Description: "Remembers.", Body: "How to remember.",
				Tools:    []*runtime.ToolSpec{rt.Builtin("mem_set"), rt.Builtin("mem_get")},
				Prefixed: []string{"mem_set"},
			},
		},
	}
}

func testTool(_ context.Context, name string, args json.RawMessage) (runtime.ToolResult, error) {
	switch name {
	case "boom":
		panic("bang")
	case "fail":
		return runtime.ToolResult{}, errors.New("no connection")
	}

	return runtime.ToolResult{Text: name + " did " + string(args)}, nil
}

// recorder logs what the model is sent.
type recorder struct {
	runtime.Effects
	log     *strings.Builder
	events  *eventLog
	sent    int
	offered []string
	// whole says that what is offered may shrink: it is logged whole whenever it differs.
	whole bool
}

func (r *recorder) Model(request model.Request) (model.Reply, error) {
	r.events.flush()
	r.offer(request.Tools)
	for _, m := range request.Messages[r.sent:] {
		from := m.Role
		if m.Name != "" {
			from += " " + m.Name
		}
		fmt.Fprintf(r.log, "%s: %s\n", from, strings.ReplaceAll(m.Text, "\n", "\n    "))
		for _, call := range m.Calls {
			fmt.Fprintf(r.log, "    %s(%s)\n", call.Name, call.Args)
		}
	}
	r.sent = len(request.Messages)

	return r.Effects.Model(request)
}

// offer logs the tools that are new, or all of them.
func (r *recorder) offer(tools []model.Tool) {
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	if slices.Equal(names, r.offered) {
		return
	}
	logged := names
	if !r.whole {
		logged = names[len(r.offered):]
	}
	r.log.WriteString("offer " + strings.Join(logged, " ") + "\n")
	r.offered = names
}

// nameOrNumber is a name that a sentence quotes, or a number.
var nameOrNumber = regexp.MustCompile(`"[^"]*"|[0-9]+`)

// namesIn returns the names and the numbers of a sentence. The log has them without the words,
// which the table of errors in package runtime and the results of calls hold.
func namesIn(sentence string) string {
	return strings.Join(append([]string{"…"}, nameOrNumber.FindAllString(sentence, -1)...), " ")
}

// eventLog logs the events that are not seen in the conversation. Those of a turn's tools are
// sorted by their text: the tools may have run in any order.
type eventLog struct {
	log   *strings.Builder
	tools []string
}

func (l *eventLog) Observe(e event.Event) {
	switch e.Kind {
	case event.Repair:
		l.flush()
		fmt.Fprintf(l.log, "* repair: %s\n", namesIn(e.Problem))
	case event.Tool:
		l.tools = append(l.tools, fmt.Sprintf("* at %s: %s(%s)\n", e.Address, e.Name, e.Args))
	case event.Transition:
		l.flush()
		fmt.Fprintf(l.log, "* %s %s#%d --%s--> %s (%s)%s\n", e.Machine, e.State, e.Visit, e.Key, e.To, e.Matched, verdicts(e.Guards))
	case event.Answer:
		l.flush()
		fmt.Fprintf(l.log, "* answer %s: %s\n", e.Name, e.Value)
	}
}

func (l *eventLog) flush() {
	slices.Sort(l.tools)
	for _, tool := range l.tools {
		l.log.WriteString(tool)
	}
	l.tools = nil
}
