package builtin_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// randomValues makes values of all kinds that are hard to bound: texts that grow in another case or
// as JSON, lists of many small items, objects with names of their own, and numbers with many
// digits.
type randomValues struct{ *rand.Rand }

func (r randomValues) value(depth int) workflow.Value {
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch r.IntN(kinds) {
	case 0:
		return workflow.Value{}
	case 1:
		return workflow.Of(r.IntN(2) == 0)
	case 2:
		return workflow.Of([]any{0, 7, -1 << 62, 1e20, -1.7976931348623157e308, 0.1, -2.5e-7, 1.0 / 3}[r.IntN(8)])
	case 3:
		return r.text()
	case 4:
		return r.list(func() workflow.Value { return r.value(depth - 1) })
	}

	return r.object(depth)
}

func (r randomValues) text() workflow.Value {
	pieces := []string{"", "a", "Z", "1e20", "7", " ", "\"", "\n", "\x01", "<", "\xff", "ɐ", "Ⱥ", "ß", "İ", "ŉ", "\u2028", "😀", "1", ",", "yes"}
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(strings.Repeat(pieces[r.IntN(len(pieces))], 1+r.IntN(3)))
	}

	return workflow.Text(b.String())
}

func (r randomValues) list(item func() workflow.Value) workflow.Value {
	items := make([]workflow.Value, r.IntN(9))
	for i := range items {
		items[i] = item()
	}

	return workflow.List(items...)
}

func (r randomValues) object(depth int) workflow.Value {
	members := make([]workflow.Member, r.IntN(6))
	for i := range members {
		members[i] = workflow.Member{Name: r.name(), Value: r.value(max(depth-1, 0))}
	}

	return workflow.Object(members...)
}

func (r randomValues) name() string {
	if r.IntN(4) == 0 {
		return strings.Repeat("\x01", r.IntN(4))
	}

	return string(rune('a' + r.IntN(6)))
}

// argument returns a value that an argument of a step can be, in most cases.
func (r randomValues) argument(p builtin.Param) workflow.Value {
	isOdd := r.IntN(8) == 0
	switch {
	case !p.Required && !p.Data && r.IntN(3) == 0:
		return workflow.Value{}
	case len(p.Words) > 0:
		return workflow.Text(p.Words[r.IntN(len(p.Words))])
	case p.Place:
		return workflow.Text([]string{"a", "a.b", "context", "b.c.d"}[r.IntN(4)])
	case isOdd || p.Takes == 0:
		return r.value(2)
	case p.Takes == builtin.Text:
		return workflow.Text(r.name())
	case p.Takes == builtin.Object && !p.Data: // new names
		return workflow.Object(
			workflow.Member{Name: "a", Value: workflow.Text(strings.Repeat("new", r.IntN(9)))}, workflow.Member{Name: "b", Value: r.text()})
	case p.Takes == builtin.List && !p.Data: // names
		return r.list(func() workflow.Value { return workflow.Text(r.name()) })
	case p.Takes&builtin.List == 0 || p.Takes&builtin.Object != 0 && r.IntN(4) == 0:
		return r.object(1)
	case p.Takes&builtin.Object != 0 && r.IntN(2) == 0:
		return r.list(func() workflow.Value { return r.object(1) })
	}

	return r.list(func() workflow.Value { return r.value(1) })
}

func sizeOf(v workflow.Value) builtin.Size {
	return builtin.Size{Text: amount.Number(len(v.String())), JSON: amount.Number(len(v.JSON())), Longest: amount.Number(longestText(v))}
}

func longestText(v workflow.Value) int {
	text, _ := v.AsText()
	longest := len(text)
	for _, item := range v.Items() {
		longest = max(longest, longestText(item))
	}
	for _, member := range v.Members() {
		longest = max(longest, longestText(member))
	}

	return longest
}

// checkBound compares what an entry gives with its bound.
func checkBound(t *testing.T, what string, gives workflow.Value, bound builtin.Size, given ...workflow.Value) {
	t.Helper()
	if is := sizeOf(gives); is.Or(bound) != bound {
		t.Fatalf("%s of %v gives %v of the size %+v, and its bound is %+v", what, given, gives, is, bound)
	}
}

const rounds = 5_000

// filterArgument returns a value that an argument of a filter can be.
func (r randomValues) filterArgument(p builtin.FilterParam) workflow.Value {
	switch p.Takes {
	case builtin.Text:
		return r.text()
	case builtin.Number:
		return workflow.Of(p.Least + r.Int64N(min(p.Most-p.Least+1, 20)))
	}

	return r.value(0)
}

// TestBoundsOfFilters: no filter gives more than its bound, whatever it is given.
func TestBoundsOfFilters(t *testing.T) {
	for _, f := range builtin.Filters {
		r := randomValues{rand.New(rand.NewPCG(1, 2))}
		for range rounds {
			v, args := r.value(2), ir.Map(f.Params, r.filterArgument)
			checkBound(t, "filter "+f.Name, f.Apply(v, args), f.Bound(sizeOf(v), ir.Map(args, sizeOf)), append(args, v)...)
		}
	}
}

// TestFiltersThatGiveTheirArgument: emission writes them as cmp.Or of texts.
func TestFiltersThatGiveTheirArgument(t *testing.T) {
	texts, replacement := []string{"", "a"}, []workflow.Value{workflow.Text("else")}
	for _, f := range builtin.Filters {
		if !f.GivesArgument() {
			continue
		}
		for _, v := range texts {
			got, want := f.Apply(workflow.Text(v), replacement).String(), v
			if want == "" {
				want = "else"
			}
			if none := f.Apply(workflow.Value{}, replacement).String(); got != want || none != "else" {
				t.Errorf("%s gives %q for %q, and %q for none", f.Name, got, v, none)
			}
		}
	}
}

// TestBoundsOfMethods: no method gives more than its bound, whatever it is of.
func TestBoundsOfMethods(t *testing.T) {
	for _, m := range builtin.Methods {
		if (m.Bound != nil) == m.TakesText() {
			t.Errorf("method %s: only one without an argument gives a text, and has a bound", m.Name)
		}
		r := randomValues{rand.New(rand.NewPCG(3, 4))}
		for range rounds {
			if v := r.value(1); m.Bound != nil {
				checkBound(t, "method "+m.Name, m.Change(v), m.Bound(sizeOf(v)), v)
			}
		}
	}
}

// TestBoundsOfSteps: no builtin step gives more than its bound, whatever its arguments and the
// context are.
func TestBoundsOfSteps(t *testing.T) {
	for _, s := range builtin.Steps {
		isComputed := s.Tool == "" && s.Lowers == builtin.LowersToCall
		if (s.Bound != nil) != isComputed || (s.OfRun != nil) != (s.Context != ir.ContextUnused) || (s.Place().Name != "") != (s.OfRun != nil) {
			t.Errorf("the descriptor of step %s is not complete", s.Name)
		}
		if !isComputed {
			continue
		}
		given, failed := 0, 0
		r := randomValues{rand.New(rand.NewPCG(5, 6))}
		for range rounds {
			args := ir.Map(s.Params, r.argument)
			context := r.object(3)
			got, err := apply(s, context, args)
			if err != nil {
				failed++
				continue
			}
			given++
			checkBound(t, "step "+s.Name, got, s.Bound(ir.Map(args, sizeOf), sizeOf(context)), append(args, context)...)
		}
		if given < failed/8 {
			t.Errorf("step %s: of %d rounds %d fail: the test sees little", s.Name, rounds, failed)
		}
	}
}

// apply does a step, on a run with a context if it is one of a run.
func apply(s builtin.Step, context workflow.Value, args []workflow.Value) (workflow.Value, error) {
	if s.OfRun == nil {
		return s.Apply(args)
	}
	run := &workflow.Run{}
	if err := run.Inherit(context); err != nil {
		return workflow.Value{}, fmt.Errorf("the context: %w", err)
	}

	return s.OfRun(run, args)
}

// TestBoundsThatGrowFaster: the rows of a table repeat new names, and the commas of columns that
// they do not have.
func TestBoundsThatGrowFaster(t *testing.T) {
	var rows []workflow.Value
	for i := range 60 {
		rows = append(rows, workflow.Object(workflow.Member{Name: fmt.Sprintf("n%d", i), Value: workflow.Of(1)}))
	}
	same := ir.Map(rows, func(workflow.Value) workflow.Value {
		return workflow.Object(workflow.Member{Name: "a", Value: workflow.Of(1)})
	})
	renamed := workflow.Object(workflow.Member{Name: "a", Value: workflow.Text(strings.Repeat("long", 50))})
	for name, args := range map[string][]workflow.Value{
		"to_csv":        {workflow.List(rows...), {}},
		"select_fields": {workflow.List(same...), {}, renamed},
	} {
		s, _ := builtin.StepByName(name)
		got, err := s.Apply(args)
		if err != nil {
			t.Fatal(err)
		}
		given := amount.Number(0)
		for _, arg := range args {
			given = given.Plus(sizeOf(arg).JSON)
		}
		if sizeOf(got).JSON < given.Times(6) {
			t.Errorf("%s gives %d bytes of %d: not more than each byte escaped", name, sizeOf(got).JSON, given)
		}
		checkBound(t, name, got, s.Bound(ir.Map(args, sizeOf), builtin.Size{}))
	}
}
