package recording_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a b c", "a b c", ""},
		{"a b c d e f g", "a b c D e f g", " h:|-d|+D"},
		{"a", "a b", " h:|+b"},
		{"a b", "b", " h:|-a"},
		{"1 2 3 4 5 6", "1 x 3 4 y 6", " h:|-2|-3|-4|-5|+x|+3|+4|+y"},
		{"a b c", "x y", " h:|-a|-b|-c|+x|+y"},
		{"", "x", " h:|+x"},
	} {
		if got := strings.Join(recording.Diff("h:", strings.Fields(c.before), strings.Fields(c.after)), "|"); got != c.want {
			t.Errorf("%s and %s: %s", c.before, c.after, got)
		}
	}
	a, b := make([]string, 5000), make([]string, 5000)
	for i := range a {
		a[i], b[i] = fmt.Sprint("a", i), fmt.Sprint("b", i)
	}
	if got := recording.Diff("h:", a, b); len(got) != 10001 {
		t.Errorf("%d lines", len(got))
	}
}

// TestLongDiffs: a comparison has a bound, and shows the place at which a long line differs.
func TestLongDiffs(t *testing.T) {
	line := strings.Repeat("é", 5000)
	r := recorded(t, []made{
		{at: "1", request: asking("a", user(strings.Repeat("x\n", 300))), reply: text("")},
		{at: "2", request: asking("b", user(line+"one"+line)), reply: text("")},
	})
	many, long := asking("a", user(strings.Repeat("y\n", 300))), asking("b", user(line+"two"+line))
	var miss *recording.MissError
	if _, err := r.Play(nil).Model(&many, "1"); !errors.As(err, &miss) || strings.Count(miss.Diff, "\n") != 40 || !strings.HasSuffix(miss.Diff, "lines more") {
		t.Error(err)
	}
	if _, err := r.Play(nil).Model(&long, "2"); !errors.As(err, &miss) || !strings.Contains(miss.Diff, "one") || !strings.Contains(miss.Diff, "two") ||
		utf8.RuneCountInString(miss.Diff) > 500 || !utf8.ValidString(miss.Diff) {
		t.Error(err)
	}
}

// TestNearest: a miss is compared with what is most like it: the same agent and model, the longest common beginning, the same place.
func TestNearest(t *testing.T) {
	turns := conversation(4, 1)
	r := recorded(t, append(turns, // in the file the two of b come behind the first of a
		made{at: "2.1.9", request: asking("b", user("begin")), reply: text("b")},
		made{at: "2.3.9", request: asking("b", user("end")), reply: text("b")}))
	changed := turns[2].request
	changed.Messages = slices.Clone(changed.Messages)
	changed.Messages[len(changed.Messages)-1].Text = "something else"
	var miss *recording.MissError
	if _, err := r.Play(nil).Model(&changed, "5"); !errors.As(err, &miss) || miss.Line != 6 {
		t.Error(err)
	}
	between := asking("b", user("middle"))
	if _, err := r.Play(nil).Model(&between, "9.3.1"); !errors.As(err, &miss) || miss.Line != 4 {
		t.Error(err)
	}
}
