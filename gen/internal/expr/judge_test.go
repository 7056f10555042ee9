package expr_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// TestWhatIsCalledConstantIs looks for values that contradict a verdict: random conditions over few names and
// constants, so that many are constant, and values near the constants.
func TestWhatIsCalledConstantIs(t *testing.T) {
	called := 0
	for seed := range uint64(2500) {
		g := newGenerator(seed)
		text := g.tight(2)
		f, _ := expr.ParseFormula(ir.Text{Value: text}, openScope(), expr.Condition)
		if f == nil {
			continue
		}
		canHold, canFail := expr.Judge(f.Root, nil)
		if canHold == canFail {
			continue
		}
		called++
		for range 100 {
			context := map[string]any{"a": g.near(), "b": g.near()}
			if expr.Decide(f.Root, reached(context)).Holds() != canHold {
				t.Fatalf("%s is said to be %t always, but not with %s", text, canHold, describe(context))
			}
		}
	}
	t.Logf("%d constant conditions", called)
	if called < 150 {
		t.Errorf("only %d conditions were called constant", called)
	}
}

// beyond are conditions of which more than one name is asked, methods taken for names, or the order of texts.
var beyond = regexp.MustCompile(`\)|'abc'|[<>]=? '`)

// TestConstantOnesAreFound: a condition that no value of a small world makes true, or none makes false, is called
// constant if it compares one name with constants.
func TestConstantOnesAreFound(t *testing.T) {
	found, missed := 0, []string(nil)
	for seed := range uint64(2000) {
		g := newGenerator(seed)
		text := strings.ReplaceAll(g.tight(1), "context.b", "context.a")
		f, _ := expr.ParseFormula(ir.Text{Value: text}, openScope(), expr.Condition)
		if f == nil || beyond.MatchString(text) {
			continue
		}
		holds, fails := false, false
		for _, value := range world() {
			if expr.Decide(f.Root, reached(map[string]any{"a": value})).Holds() {
				holds = true
			} else {
				fails = true
			}
		}
		if holds == fails {
			continue
		}
		if canHold, canFail := expr.Judge(f.Root, nil); canHold == canFail {
			missed = append(missed, text)
		} else {
			found++
		}
	}
	t.Logf("%d found, %d missed", found, len(missed))
	if found < 100 || len(missed) > 0 {
		t.Errorf("%d are found and %d missed, such as %q", found, len(missed), missed[:min(5, len(missed))])
	}
}

var nearTexts = []string{"", "a", "A", " a", "b", "c", "5", "5.0", " 5", "6", "4", "x", "aa", "\x00"}
var nearNumbers = []any{int64(4), int64(5), int64(6), 4.5, 5.5, int64(0), int64(-1), 5.25, 5.75, int64(7), 1e9, -1e9}

// world are the values that a name has in these tests.
func world() []any {
	all := append([]any{nil, true, false, []any{}, []any{"a"}, map[string]any{}, map[string]any{"x": "a"}}, nearNumbers...)
	for _, text := range nearTexts {
		all = append(all, text)
	}

	return all
}

func (g generator) near() any {
	all := world()

	return all[g.IntN(len(all))]
}

// tight writes a condition over two names and few constants.
func (g generator) tight(depth int) string {
	name := g.pick("context.a", "context.a", "context.b")
	if depth > 0 {
		return g.pick("", "", "not ") + g.tight(depth-1) + g.pick(" and ", " or ") + g.tight(depth-1)
	}
	switch g.IntN(8) {
	case 0:
		return g.pick("", "not ") + name
	case 1:
		return name + g.pick(" in ", " not in ") + g.pick("['a', 'b', 5]", "['a']", "[]", "[5, 6]", "'abc'")
	case 2:
		return name + g.pick(".lower()", ".strip()", ".upper()") + g.pick(" == ", " != ") + g.pick("'a'", "'A'", "'b'", "' a'")
	case 3:
		return name + g.pick(".startswith(", ".endswith(") + g.pick("'a')", "'b')")
	case 4:
		return name + g.pick(" == ", " != ", " < ", " <= ", " > ", " >= ") + g.pick("'a'", "'b'", "'5'", "''")
	case 5:
		return name + g.pick(" == ", " != ") + g.pick("'a'", "'b'", "'5'", "None", "True", "[]", "['a']")
	}

	return name + g.pick(" == ", " != ", " < ", " <= ", " > ", " >= ") + g.pick("5", "6", "5.5")
}
