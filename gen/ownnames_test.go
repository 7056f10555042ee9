package gen_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
)

const orderAgent = "---\nname: order\ndescription: An order.\nversion: \"1\"\npattern: fsm\ndrive: external\ninitial: new\n" +
	"states:\n  new:\n    - pay: paid\n  paid: ~\n---\n"

// TestNamesOfTheUsersGo: what the user's Go declares in the package of the generated code is found at its place, by check too,
// and only what the generated code declares indeed.
func TestNamesOfTheUsersGo(t *testing.T) {
	for _, c := range []struct {
		name, file, content string
		want                []string
	}{
		{"a constructor", "order.go", "package order\n\ntype Order struct{}\n\nfunc New(id string) *Order { return nil }\n", []string{"order.go:5 New"}},
		{"a type and a constant", "own.go", "package order\n\ntype (\n\tOrderState int\n\tTools int\n)\n\nconst a, OrderKeyPay = 1, 2\n",
			[]string{"own.go:4 OrderState", "own.go:8 OrderKeyPay"}},
		{"a test", "own_test.go", "package order\n\nfunc TestOrderMachine() {}\n", []string{"own_test.go:3 TestOrderMachine"}},
		{"a method, init and _", "own.go", "package order\n\ntype x int\n\nfunc (x) New() {}\n\nfunc init() {}\n\nvar _ = 1\n", nil},
		{"another package", "own_test.go", "package order_test\n\nfunc New() {}\n", nil},
		{"a method", "own.go", "package order\n\nfunc (a *App) Program() int { return 1 }\n\nfunc (App) Mine() {}\n", []string{"own.go:3 App.Program"}},
		{"a method of states, and of an embedded machine", "own.go",
			"package order\n\nfunc (s OrderState) String() string { return \"\" }\n\nfunc (*OrderMachine) Machine() {}\n",
			[]string{"own.go:3 OrderState.String", "own.go:5 OrderMachine.Machine"}},
		{"a type with its methods", "own.go", "package order\n\ntype App[T any] struct{ Program int }\n\nfunc (App[T]) Run() {}\n", []string{"own.go:3 App"}},
		{"another folder", "inner/own.go", "package order\n\nfunc New() {}\n", nil},
		{"no Go", "own.go", "package order\n\nfunc New( {}\n", nil},
	} {
		project := fstest.MapFS{
			"agentc.yaml":           {Data: []byte("output: .\npackage: order\n")},
			"agents/order/AGENT.md": {Data: []byte(orderAgent)},
			c.file:                  {Data: []byte(c.content)},
		}
		if _, err := gen.Compile(t.Context(), gen.Options{FS: fstest.MapFS{
			"agentc.yaml":           {Data: []byte("output: internal/not/there\n")},
			"agents/order/AGENT.md": {Data: []byte(orderAgent)},
		}}); err != nil {
			t.Errorf("an output folder that is not there: %v", err)
		}
		for _, checkOnly := range []bool{true, false} {
			result, err := gen.Compile(t.Context(), gen.Options{FS: project, CheckOnly: checkOnly})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range result.Diagnostics {
				if d.Check == diag.DuplicateName && d.IsError() {
					name, _, _ := strings.Cut(d.Message, " ")
					got = append(got, d.Span.File.Path+":"+string(rune('0'+d.Span.Pos().Line))+" "+name)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
			if hasFiles := len(result.Files) > 0; hasFiles != (!checkOnly && c.want == nil) {
				t.Errorf("%s: %d files", c.name, len(result.Files))
			}
		}
	}
}

// TestHintsForTakenNames: the hint for a name that every package has is the line that renames it, with what the project renames
// already and with whatever else is taken; a name that is made from an agent's is changed with the agent.
func TestHintsForTakenNames(t *testing.T) {
	const inFolder = ", or name a folder for the generated Go alone: output in agentc.yaml"
	for _, c := range []struct{ name, rename, own, want string }{
		{"one", "", "func New() {}", "rename it, or write in agentc.yaml: rename: {New: NewAgents}"},
		{"two at once", "", "type App int\n\nfunc New() {}", "rename it, or write in agentc.yaml: rename: {App: AgentsApp, New: NewAgents}"},
		{"what is renamed stays", "rename: {App: Desk}\n", "func New() {}", "rename it, or write in agentc.yaml: rename: {App: Desk, New: NewAgents}"},
		{"the new name is taken", "rename: {New: Make}\n", "func Make() {}", "rename it, or write in agentc.yaml: rename: {New: NewAgents}"},
		{"the proposal is taken", "", "func New() {}\n\nfunc NewAgents() {}", "rename it, or write in agentc.yaml: rename: {New: NewAgents2}"},
		{"by an agent", "", "type OrderState int", `rename it, or agent "order", from whose name it is made` + inFolder},
		{"by a state of an agent", "", "const OrderStatePaid = 1", `rename it, or agent "order", from whose name it is made` + inFolder},
		{"unexported", "", "var orderKeyLists int", `rename it, or agent "order", from whose name it is made` + inFolder},
		{"a method", "", "func (a *App) Program() {}", "rename it: the generated methods and fields of App keep their names"},
		{"free again", "rename: {New: NewAgents, App: AgentsApp}\n", "type App int\n\nfunc New() {}", ""},
	} {
		result, err := gen.Compile(t.Context(), gen.Options{CheckOnly: true, FS: fstest.MapFS{
			"agentc.yaml":           {Data: []byte("output: .\npackage: order\n" + c.rename)},
			"agents/order/AGENT.md": {Data: []byte(orderAgent)},
			"own.go":                {Data: []byte("package order\n\n" + c.own + "\n")},
		}})
		if err != nil {
			t.Fatal(err)
		}
		var hints []string
		for _, d := range result.Diagnostics {
			if d.IsError() {
				hints = append(hints, d.Hint)
			}
		}
		if got := strings.Join(slices.Compact(hints), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
