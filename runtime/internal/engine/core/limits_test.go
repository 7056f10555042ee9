package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// returning is a program whose one agent has one tool, which returns a text.
func returning(text func() runtime.ToolResult) *compiled.Program {
	spec := &rt.ReactSpec{
		Agent: "desk", MaxIter: 100,
		Skills: []*rt.SkillSpec{{Name: "s", Tools: []*runtime.ToolSpec{
			{Name: "fetch", Input: `{"type":"object"}`, Effect: runtime.EffectRead},
		}}},
	}

	return desk(func(fx runtime.Effects, input string) (runtime.Finish, error) {
		return spec.Run(fx, func(context.Context, string, json.RawMessage) (runtime.ToolResult, error) {
			return text(), nil
		}, input, rt.Place{})
	})
}

// reader is a model that calls fetch, reads what was cut, and finishes with what it has read. What
// is longer than fits it refuses. It reads 20 pieces at most.
type reader struct{ fits int }

var readOn = regexp.MustCompile(`\n\n\[These are the [^\]]*?(?: read_result with (\{[^}]*\}) returns what follows\.)?\]$`)

func (m reader) Chat(_ context.Context, request model.Request) (model.Reply, error) {
	size := 0
	var read strings.Builder
	for _, message := range request.Messages {
		size += len(message.Text)
		if message.Role == model.RoleTool && message.Name != "read_skill" {
			read.WriteString(readOn.ReplaceAllString(message.Text, ""))
		}
	}
	if size > m.fits {
		return model.Reply{}, &model.Error{Class: model.TooLong, Message: "the context is too small"}
	}
	call := model.ToolCall{ID: "c", Name: "read_skill", Args: `{"name":"s"}`}
	switch n := len(request.Messages); {
	case n == 3:
		call.Name = "fetch"
	case n > 3:
		call.Name = "finish"
		value, _ := json.Marshal(map[string]string{"key": "done", "value": read.String()})
		call.Args = string(value)
		if more := readOn.FindStringSubmatch(request.Messages[n-1].Text); more != nil && more[1] != "" && n < 45 {
			call.Name, call.Args = "read_result", more[1]
		}
	}

	return model.Reply{Calls: []model.ToolCall{call}}, nil
}

// TestLongResultsAreResumed: a run in which a long result is read piece by piece, or is too long
// for the model, ends the same from each point at which it may be interrupted.
func TestLongResultsAreResumed(t *testing.T) {
	text := strings.Repeat("a line of text\n", 3000)
	for fits, want := range map[int]string{1 << 20: text, 30_000: ""} {
		p := returning(func() runtime.ToolResult { return runtime.ToolResult{Text: text} })
		model := func(c *core.Config) { c.Model = reader{fits} }
		store := journal.Memory()
		fin, err := with(newWorld(), store, model).Run(t.Context(), p, "", "")
		if err != nil || want != "" && fin.Value != want {
			t.Fatalf("%d: %v, %d bytes", fits, err, len(fin.Value))
		}
		all := recordsOf(t, store)
		for n := 1; n < len(all); n++ {
			again, err := with(newWorld(), cutAt(t, all, n), model).Resume(t.Context(), p, "r1", core.ResumeOptions{})
			if err != nil || again != fin {
				t.Errorf("%d, after %d records: %v, %.100q", fits, n, err, again.Value)
			}
		}
	}
}

// TestHugeResult: what a tool returns beyond the bound is in neither the journal nor what the model
// reads, which is told.
func TestHugeResult(t *testing.T) {
	for _, result := range []runtime.ToolResult{
		{Text: strings.Repeat("h", 20<<20)}, {Problem: strings.Repeat("h", 20<<20)},
		{Text: `["` + strings.Repeat("é", 10<<20) + `"]`, JSON: true},
	} {
		store := journal.Memory()
		seen := &watcher{}
		_, err := with(newWorld(), store, func(c *core.Config) { c.Model, c.Observer = reader{1 << 30}, seen }).
			Run(t.Context(), returning(func() runtime.ToolResult { return result }), "", "")
		if err != nil {
			t.Fatal(err)
		}
		size, said := 0, ""
		for _, r := range recordsOf(t, store) {
			if r.Name != "tool" || r.Type != journal.Result {
				continue
			}
			for _, f := range r.Fields {
				size += len(f.Value)
				if f.Name == "text" || f.Name == "problem" {
					said = f.Value
				}
				if f.Name == "json" {
					t.Error("JSON without an end is said to be JSON")
				}
			}
		}
		const note = "[The result is cut here: a tool may return 4000000 bytes, and this is all that was kept. Ask for less at a time.]"
		if size > 4_001_000 || !strings.HasSuffix(said, note) {
			t.Errorf("%d bytes are kept, with %.200q at the end", size, said[max(0, len(said)-200):])
		}
	}
}

// TestSecretsAreNotCut: a secret at the place of a cut is taken out before the cut.
func TestSecretsAreNotCut(t *testing.T) {
	env := variables{"DESK_PASSWORD": declared, "AGENT_VALUE": agents}
	for _, at := range []int{20_000, 4_000_000} {
		for _, back := range []int{1, len(declared) - 1} {
			p := returning(func() runtime.ToolResult {
				return runtime.ToolResult{Text: strings.Repeat("x", at-back) + declared + strings.Repeat("y", 5_000_000)}
			})
			p.Vars = []string{"DESK_PASSWORD"}
			store := journal.Memory()
			_, err := with(newWorld(), store, func(c *core.Config) { c.Model, c.Env = reader{1 << 30}, env.lookup }).Run(t.Context(), p, "", "")
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range recordsOf(t, store) {
				for _, f := range r.Fields {
					if strings.Contains(f.Value, "x"+declared[:min(back, 5)]) {
						t.Errorf("%d before %d: a part of the secret is kept", back, at)
					}
				}
			}
		}
	}
}

// TestForkWithLongReply: a fork whose tool has another, long result shows as much of it as the run
// did.
func TestForkWithLongReply(t *testing.T) {
	p := returning(func() runtime.ToolResult { return runtime.ToolResult{Text: strings.Repeat("long ", 10_000)} })
	store := journal.Memory()
	engine := with(newWorld(), store, func(c *core.Config) { c.Model = reader{1 << 30} })
	if _, err := engine.Run(t.Context(), p, "", ""); err != nil {
		t.Fatal(err)
	}
	at := ""
	for _, r := range recordsOf(t, store) {
		if r.Name == "tool" {
			at = r.Address
		}
	}
	other := strings.Repeat("other ", 10_000)
	ids := with(newWorld(), store, func(c *core.Config) { c.Model, c.RunID = reader{1 << 30}, func() string { return "r2" } })
	if _, err := ids.Fork(t.Context(), p, "r1", at, core.ForkOptions{Reply: []byte(other)}); err != nil {
		t.Fatal(err)
	}
	fin, err := ids.Resume(t.Context(), p, "r2", core.ResumeOptions{})
	if err != nil || fin.Value != other {
		t.Errorf("%v, %d bytes", err, len(fin.Value))
	}
	j, err := journal.Read(t.Context(), store, "r2")
	if err != nil || !strings.Contains(fmt.Sprint(j.Records), "read_result") {
		t.Errorf("%v: the reply was shown whole", err)
	}
}
