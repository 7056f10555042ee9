package builtin_test

import (
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// TestNamesAreThoseOfTheFunctions: generated code calls what the compiler computes with.
func TestNamesAreThoseOfTheFunctions(t *testing.T) {
	check := func(function any, name string) {
		t.Helper()
		value := reflect.ValueOf(function)
		if value.IsNil() {
			return
		}
		is := runtime.FuncForPC(value.Pointer()).Name()
		if !strings.HasSuffix(is, "."+name) {
			t.Errorf("%s is the name of %s", name, is)
		}
	}
	for _, m := range builtin.Methods {
		check(m.Change, m.Go)
		check(m.Decides, m.DecidesGo)
		if m.TakesText() == (m.Change != nil) || m.TakesText() != (m.Decides != nil) {
			t.Errorf("method %s is of neither kind", m.Name)
		}
	}
	for _, op := range []ir.CompareOp{ir.OpEqual, ir.OpNotEqual, ir.OpLess, ir.OpLessEqual, ir.OpGreater, ir.OpGreaterEqual} {
		c := builtin.ComparisonOf(op)
		if c.Op != op {
			t.Errorf("%s has no descriptor", op)
		}
		check(c.Compares, c.ComparesGo)
		check(c.Decides, c.DecidesGo)
	}
}

// TestEverythingCanBeComputed: what the compiler follows through a program has the function that a run calls.
func TestEverythingCanBeComputed(t *testing.T) {
	for _, f := range builtin.Filters {
		if f.Apply == nil || f.Go == "" || (len(f.Params) > 0) != (f.Example != "") {
			t.Errorf("the descriptor of filter %s is not complete", f.Name)
		}
	}
	for _, s := range builtin.Steps {
		isPure := s.Go != "" && s.OfRun == nil
		if isPure != (s.Apply != nil) || s.Go != "" && s.Tool != "" {
			t.Errorf("the descriptor of step %s is not complete", s.Name)
		}
	}
}

// TestPagesListEverything: a page lists each entry of its table.
func TestPagesListEverything(t *testing.T) {
	pages := map[string]string{
		"methods": "../../../schema/expressions/README.md", "filters": "../../../schema/expressions/README.md", "steps": "../../../schema/workflows/README.md",
		"tools": "../../../schema/README.md", "filter list": "../../explain/pages/unknown-filter.md",
		"method list": "../../explain/pages/guard-type.md",
	}
	listed := func(page, entry string) {
		t.Helper()
		text, err := os.ReadFile(pages[page])
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), entry) {
			t.Errorf("%s does not list %s", pages[page], entry)
		}
	}
	for _, m := range builtin.Methods {
		listed("methods", `".`+m.Name+`(`)
		listed("method list", "`."+m.Name+"()`")
	}
	for _, f := range builtin.Filters {
		listed("filters", `"`+f.Name)
		listed("filter list", "`"+f.Name)
	}
	for _, s := range builtin.Steps {
		var names []string
		for _, p := range s.Params {
			if !p.Unused {
				names = append(names, p.Name)
			}
		}
		listed("steps", "| `"+s.Name+"("+strings.Join(names, ", ")+")` | ")
	}
	for _, name := range builtin.Tools() {
		listed("tools", "`"+name+"`")
	}
}

func TestTools(t *testing.T) {
	for _, name := range builtin.Tools() {
		if builtin.Tool(name) != name || builtin.Tool(builtin.OlderToolPrefix+name) != name {
			t.Errorf("%s is not found", name)
		}
	}
	if builtin.Tool("shell") != "" || builtin.Tool(builtin.OlderToolPrefix) != "" {
		t.Error("a tool is found that does not exist")
	}
	if !slices.IsSorted(builtin.Tools()) || !slices.IsSorted(builtin.StepNames()) {
		t.Error("names are not sorted")
	}
	for _, s := range builtin.Steps {
		if s.Tool != "" && rt.Builtin(s.Tool) == nil {
			t.Errorf("step %s is a tool that does not exist", s.Name)
		}
	}
}
