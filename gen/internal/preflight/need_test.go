package preflight_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/preflight"
)

func text(s string) ir.Text { return ir.Text{Value: s} }

// machine is a place where only some variables are set.
func machine(set ...string) preflight.Machine {
	return preflight.Machine{
		Env: func(name string) (string, bool) {
			for _, known := range set {
				if of, value, _ := strings.Cut(known, "="); of == name {
					return value, true
				}
			}
			return "", false
		},
		Writable: func(string) error { return nil },
		Command:  func(string) error { return errors.New("it is not there") },
	}
}

// program has an agent that asks a role, with a server that it uses.
func program() *ir.Program {
	server := &ir.Server{Name: text("notes"), Command: []string{"notes-server"}, Env: []string{"NOTES_TOKEN"}, Protocol: "2025-06-18"}
	skill := &ir.Skill{Name: text("notes"), Tools: []ir.ToolRef{{Text: text("add_note"), Tool: &ir.Tool{Name: text("add_note"), Server: server}}}}
	a := &ir.Agent{
		Name: text("writer"), Call: ir.Call{Role: text("thinker")},
		Node: &ir.React{Uses: []ir.SkillRef{{Text: text("notes"), Skill: skill}}},
	}

	return &ir.Program{Agents: []*ir.Agent{a}, Entry: a}
}

// TestNeeds: what is needed of the environment, and where models come from.
func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		what    string
		change  func(*ir.Program)
		set     []string
		missing string
		from    string
	}{
		{what: "nothing is set", missing: "model role thinker, variable NOTES_TOKEN, server notes"},
		{
			what: "the older variable of a role", set: []string{"TAMA_MODEL_THINKER=openai:gpt-4o", "OPENAI_API_KEY=x", "NOTES_TOKEN=x"},
			missing: "provider openai, server notes", from: "TAMA_MODEL_THINKER",
		},
		{
			what: "default lends its model", set: []string{"AGENTC_MODEL_DEFAULT_NAME=anthropic:c", "NOTES_TOKEN= "},
			missing: "provider anthropic, key anthropic, variable NOTES_TOKEN, server notes", from: "AGENTC_MODEL_DEFAULT_NAME",
		},
		{
			what: "a server of its own needs no key", set: []string{"AGENTC_MODEL_DEFAULT_NAME=openai:m", "OPENAI_BASE_URL=http://127.0.0.1:1", "NOTES_TOKEN=x"},
			missing: "provider openai, server notes", from: "AGENTC_MODEL_DEFAULT_NAME",
		},
		{
			what: "the key of the role", set: []string{"AGENTC_MODEL_THINKER_API_KEY=x", "NOTES_TOKEN=x"},
			change: func(p *ir.Program) {
				p.Models = []*ir.Model{{Role: text("default"), Name: text("gemini:flash")}}
			},
			missing: "server notes", from: "models.default",
		},
		{
			what: "another provider, and a variable that is not read", set: []string{"NOTES_TOKEN=x", "TAMA_ENTRYPOINT_AGENT=b"},
			change: func(p *ir.Program) {
				p.Models = []*ir.Model{{Role: text("thinker"), Name: text("acme:m")}}
			},
			missing: "variable TAMA_ENTRYPOINT_AGENT, server notes", from: "models.thinker",
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := program()
			if c.change != nil {
				c.change(p)
			}
			needs := preflight.Of(p, []*ir.Agent{p.Entry}, machine(c.set...))
			var missing []string
			for _, n := range preflight.Missing(needs) {
				missing = append(missing, n.Kind+" "+n.Name)
			}
			if got := strings.Join(missing, ", "); got != c.missing {
				t.Errorf("missing is %q, want %q", got, c.missing)
			}
			if needs[0].Kind != "model" || needs[0].From != c.from {
				t.Errorf("the model is %+v", needs[0])
			}
		})
	}
}

// TestFixed: a line is added once, and not where its field is.
func TestFixed(t *testing.T) {
	lacks := func(add string) preflight.Need {
		return preflight.Need{Kind: "tool", Missing: "x", Add: add, Config: true}
	}
	got, added := preflight.Fixed("entrypoint: a", []preflight.Need{
		lacks("shell: true"), lacks("files: {root: ./w}"), lacks("shell: true"),
		{Kind: "model", Missing: "x", Add: "models: {}", Config: true}, {Kind: "variable", Missing: "x", Add: "export X=..."},
	})
	if want := "entrypoint: a\nfiles: {root: ./w}\nshell: true\n"; got != want || len(added) != 2 {
		t.Errorf("got %q and %q", got, added)
	}
	if got, added := preflight.Fixed("shell: false\n", []preflight.Need{lacks("shell: true")}); added != nil || got != "shell: false\n" {
		t.Errorf("got %q and %q", got, added)
	}
}
