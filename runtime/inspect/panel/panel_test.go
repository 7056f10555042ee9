package panel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestPanelFits: whatever the size of the terminal and whatever models, tools and authors say, no row is too long and there are not
// too many, and nothing in them can act.
func TestPanelFits(t *testing.T) {
	now := time.Unix(0, 0)
	hostile := "\x1b]0;title\a\x1b[2J\u202e\u2066日本\r\n\u0085\u009b1A" + strings.Repeat("e\u0301\u0302\u0303\u0304\u0305\u0306", 90)
	v := newView(hostile, now)
	v.sums = sums{1_234_567, 7_654_321_000, 123_456_789, true}
	for i := range 12 {
		v.beginEffect(lane{i}, hostile, hostile, now)
		v.tasks[lane{i}.mapKey()].appendReply(strings.Repeat(hostile, 3))
	}
	v.tasks[lane{3}.mapKey()].problem, v.tasks[lane{3}.mapKey()].until = hostile, now.Add(time.Hour)
	for _, m := range []string{"report", "edit", hostile} {
		v.enterState(event.Event{Machine: m, State: "shorten"})
	}
	v.observe(&event.Event{Kind: event.Pause, Name: hostile, Text: hostile, Choices: []string{hostile}}, now)
	v.observe(&event.Event{Kind: event.Budget, Name: hostile, Text: hostile}, now)
	a := newAtlas(&compiled.Program{Agents: []compiled.Agent{{Name: "report", Graph: reportGraph}, {Name: hostile, Graph: hostile}}})
	for _, columns := range []int{0, 1, 8, 9, 20, 39, 40, 41, 80, 200} {
		for _, rows := range []int{0, 2, 3, 5, 9, 24, 60} {
			drawn := (&panel{view: &v, atlas: &a, columns: columns, rows: rows, now: now}).draw()
			if len(drawn) > max(rows-1, 0) {
				t.Errorf("%d rows on a terminal of %d", len(drawn), rows)
			}
			for _, r := range drawn {
				text := r.formatText(false)
				if n := cells.Width(text); n >= columns {
					t.Errorf("%d cells on a terminal of %d: %q", n, columns, text)
				}
				if cells.Clean(text) != text || cells.Plain(text) != text {
					t.Errorf("this can act: %q", text)
				}
			}
		}
	}
}

func TestStrip(t *testing.T) {
	states := make([]string, 1000)
	for i := range states {
		states[i] = fmt.Sprintf("s%d", i)
	}
	for _, c := range []struct {
		state, want string
		most        int
		column      int
	}{
		{"s0", "[s0] · s1 · s2 · …", 20, 0},
		{"s500", "… · s499 · [s500] · s501 · …", 30, 11},
		{"s999", "… · s998 · [s999]", 20, 11},
		{"s500", "… · [s500] · …", 5, 4}, // the row is cut after that
		{"elsewhere", "[elsewhere]", 20, 0},
	} {
		drawn, column := drawStrip(states, place{"m", c.state}, nil, c.most)
		if got := drawn.formatText(false); got != c.want || column != c.column {
			t.Errorf("%s: %q, column %d, want %q, %d", c.state, got, column, c.want, c.column)
		}
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0:00", 59900 * time.Millisecond: "0:59", 61 * time.Second: "1:01", 3661 * time.Second: "1:01:01",
	} {
		if got := formatClock(d); got != want {
			t.Errorf("clock(%v) = %q, want %q", d, got, want)
		}
	}
	for n, want := range map[int]string{0: "", 1: "1 token", 999: "999 tokens", 1000: "1,000 tokens", 1234567: "1,234,567 tokens"} {
		if got := formatCount(n, "token", "tokens"); got != want {
			t.Errorf("grouped(%d) = %q, want %q", n, got, want)
		}
	}
}

// reportGraph is the picture of a machine with a machine in it.
const reportGraph = `flowchart TD
  subgraph n1["report"]
    n2((" "))
    n3["plan"]
    n4["research"]
    n6["review"]
    n7(("done"))
    subgraph n5["write"]
      subgraph n8["edit"]
        n9((" "))
        n10["draft"]
        n11["shorten"]
        n12(("done"))
      end
    end
  end
  n2 --> n3
  n3 --> n4
  n4 --> n5
  n5 --> n6
  n6 -->|"yes"| n7
  n6 -->|"revise"| n5
  n9 --> n10
  n10 -->|"too-long"| n11
  n10 -->|"#42;"| n12
  n11 -->|"still-too-long"| n11
  n11 -->|"done"| n12
`

// TestMoney: what nobody knows is said, and no nought is guessed.
func TestMoney(t *testing.T) {
	turn := func(tokens int, cost int64) event.Event {
		return event.Event{Kind: event.Model, Usage: model.Usage{Output: tokens}, Cost: cost}
	}
	for want, turns := range map[string][]event.Event{
		"":                                      {turn(0, 0)},
		"$0.002000":                             {turn(10, 2000)},
		"cost unknown":                          {turn(10, 0)},
		"$0.002000 and what has no known price": {turn(10, 0), turn(10, 2000)},
	} {
		var s sums
		for _, e := range turns {
			s.addTurn(&e)
		}
		if got := s.formatCost(); got != want {
			t.Errorf("%v: %q, want %q", turns, got, want)
		}
	}
}
