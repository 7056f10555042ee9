package main

import (
	"math"
	"strings"
	"testing"
)

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		row     row
		verdict string
		fails   bool
	}{
		{row{"faster", 3.1, "x", goal{atLeast, 3}}, "ok", false},
		{row{"as fast", 3, "x", goal{atLeast, 3}}, "ok", false},
		{row{"nearly", 2.6, "x", goal{atLeast, 3}}, "MISSED", false},
		{row{"slower", 2.4, "x", goal{atLeast, 3}}, "MISSED", true},
		{row{"short", 1.2, "x", goal{atMost, 1.2}}, "ok", false},
		{row{"longer", 1.4, "x", goal{atMost, 1.2}}, "MISSED", false},
		{row{"long", 1.5, "x", goal{atMost, 1.2}}, "MISSED", true},
		{row{"nothing", 0, "", goal{atMost, 0}}, "ok", false},
		{row{"something", 1, "", goal{atMost, 0}}, "MISSED", true},
		{row{"unmeasured", math.NaN(), "x", goal{atMost, 1}}, "MISSED", true},
		{row{"no goal", 1000, "x", goal{}}, "beside", false},
	} {
		if got := c.row.verdict(); got != c.verdict {
			t.Errorf("%s: verdict %s, want %s", c.row.what, got, c.verdict)
		}
		if got := failed([]row{c.row}); got != c.fails {
			t.Errorf("%s: fails %t, want %t", c.row.what, got, c.fails)
		}
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	err := writeTable(&b, []row{
		{"map / generated", 4.128, "x", goal{atLeast, 3}},
		{"generated / hand-written", 1.2004, "x", goal{atMost, 1.2}},
		{"library / generated", 61.5, "x", goal{}},
		{"allocations", 0, "", goal{atMost, 0}},
	})
	if err != nil {
		t.Fatal(err)
	}

	want := `                          measured  goal
map / generated              4.13x  at least 3x   ok
generated / hand-written   1.2004x  at most 1.2x  MISSED
library / generated         61.50x  -             beside
allocations                      0  at most 0     ok
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{8: "8", 999: "999", 1000: "1,000", 4096: "4,096", 10010: "10,010", 1000000: "1,000,000"} {
		if got := count(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}
