package rt_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// varsTaken notes which variables each call of a tool may name.
type varsTaken struct {
	runtime.Effects
	calls []string
}

func (v *varsTaken) Tool(call runtime.ToolCall) (runtime.ToolResult, error) {
	v.calls = append(v.calls, fmt.Sprint(call.Tool.Name, call.Vars))

	return runtime.ToolResult{Text: fmt.Sprint("answer ", len(v.calls))}, nil
}

// TestVarsOfSkills: a call may name the variables of the skills that have unlocked its tool, and of
// no others.
func TestVarsOfSkills(t *testing.T) {
	skill := func(name string, vars []string, tools ...string) *rt.SkillSpec {
		s := &rt.SkillSpec{Name: name, Vars: vars, Prefixed: tools}
		for _, tool := range tools {
			s.Tools = append(s.Tools, rt.Builtin(tool))
		}

		return s
	}
	spec := &rt.ReactSpec{Agent: "a", MaxIter: 10, Repair: 2, Stuck: 4, Skills: []*rt.SkillSpec{
		skill("search", []string{"KEY_B", "KEY_A"}, "http_get"),
		skill("pay", []string{"KEY_C", "KEY_A"}, "http_get", "http_post"),
		skill("notes", []string{"KEY_D"}, "files_read"),
	}}
	own := &runtime.ToolSpec{Name: "http_post", Input: `{"type":"object"}`}
	spec.Skills[2].Tools = append(spec.Skills[2].Tools, own)

	fx := &varsTaken{Effects: simulate.New(t, `{"a": [
		{"call": {"name": "read_skill", "args": {"name": "search"}}},
		{"call": {"name": "http_get", "args": {"url": "https://a.test"}}},
		{"call": {"name": "read_skill", "args": {"name": "pay"}}},
		{"call": {"name": "tama_http_get", "args": {"url": "https://b.test"}}},
		{"call": {"name": "http_post", "args": {"url": "https://c.test", "body": "x"}}},
		{"call": {"name": "read_skill", "args": {"name": "notes"}}},
		{"call": {"name": "files_read", "args": {"path": "x"}}},
		{"finish": {"key": "done", "value": "x"}}
	]}`)}
	if _, err := spec.Run(fx, nil, "the task", rt.Place{}); err != nil {
		t.Fatal(err)
	}
	want := []string{"http_get[KEY_A KEY_B]", "http_get[KEY_A KEY_B KEY_C]", "http_post[KEY_A KEY_C]", "files_read[KEY_D]"}
	if !slices.Equal(fx.calls, want) {
		t.Errorf("got %q, want %q", fx.calls, want)
	}
}
