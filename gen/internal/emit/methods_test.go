package emit_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// TestInterfaces: signatures are those that another package writes.
func TestInterfaces(t *testing.T) {
	object := &ir.Schema{Kind: ir.SchemaObject}
	name := func(text string) ir.Text { return ir.Text{Value: text} }
	p := &ir.Program{
		Package: "agents",
		Tools:   []*ir.Tool{{Name: name("search")}, {Name: name("read_all"), Output: object}},
		Guards:  []*ir.GuardFunc{{Name: name("good")}},
		Funcs:   []*ir.Func{{Name: name("join"), Output: object}},
	}
	want := []string{
		"Search(ctx context.Context, in agents.SearchInput) (string, error)",
		"ReadAll(ctx context.Context, in agents.ReadAllInput) (agents.ReadAllOutput, error)",
		"Good(ctx context.Context, in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error)",
		"Join(ctx context.Context, in workflow.Value) (agents.JoinResult, error)",
	}
	i := 0
	for _, face := range emit.Interfaces(p) {
		for _, m := range face.Methods {
			if m.Signature != want[i] {
				t.Errorf("%s of %s is\n%s, want\n%s", m.Name.Value, face.Name, m.Signature, want[i])
			}
			i++
		}
	}
	if i != len(want) {
		t.Errorf("%d methods", i)
	}
}
