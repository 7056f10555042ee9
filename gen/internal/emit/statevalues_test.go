package emit_test

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// noImports imports nothing: what is declared in a file alone is known.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) {
	return nil, errors.New("nothing is imported")
}

// TestMovedNumbersDoNotCompile: a generated file in which the number of a state has changed, as
// after a merge of two versions, is refused by the compiler of Go.
func TestMovedNumbersDoNotCompile(t *testing.T) {
	states := []*ir.State{{Name: textLiteral("new")}, {Name: textLiteral("paid")}, {Name: textLiteral("shipped")}}
	states[0].Rows = []*ir.Row{{Key: textLiteral("pay"), To: ir.Ref{Text: states[1].Name, State: states[1]}}}
	machine := &ir.Machine{External: true, States: states, Initial: ir.Ref{Text: states[0].Name, State: states[0]}}
	order := &ir.Agent{Name: textLiteral("order"), File: emittest.AgentFile("order"), Node: machine}
	content := emitted(t, &ir.Program{Package: "agents", Agents: []*ir.Agent{order}})[0].Content

	for name, c := range map[string]struct {
		old, changed string
		refused      bool
	}{
		"as generated": {"iota + 1", "iota + 1", false},
		"inserted":     {"\tOrderStatePaid", "\tOrderStateFraudCheck\n\tOrderStatePaid", true},
		"moved":        {"iota + 1", "iota + 2", true},
	} {
		if !bytes.Contains(content, []byte(c.old)) {
			t.Fatalf("%q is not in\n%s", c.old, content)
		}
		changed := bytes.Replace(content, []byte(c.old), []byte(c.changed), 1)
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "order_gen.go", changed, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		refused := false
		config := types.Config{Importer: noImports{}, Error: func(err error) {
			refused = refused || strings.Contains(err.Error(), "number[") || strings.Contains(err.Error(), "index")
		}}
		_, _ = config.Check("agents", set, []*ast.File{file}, nil)
		if refused != c.refused {
			t.Errorf("%s: refused is %v", name, refused)
		}
	}
}
