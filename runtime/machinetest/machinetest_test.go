package machinetest_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
	"github.com/agentc-dev/agentc/runtime/machinetest"
	"github.com/agentc-dev/agentc/runtime/rt"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func TestRightMachine(t *testing.T) {
	r := check(critic())
	if len(r.problems) > 0 || !slices.Equal(r.logs, []string{"critic: 6 of 6 rows were run, in 16 answers"}) {
		t.Errorf("problems %q, logs %q", r.problems, r.logs)
	}
}

// TestDrivenMachine: a machine without Run is asked, and not run.
func TestDrivenMachine(t *testing.T) {
	m := critic()
	m.Run = nil
	if r := check(m); len(r.problems)+len(r.logs) > 0 {
		t.Errorf("problems %q, logs %q", r.problems, r.logs)
	}
	m.Table["draft"][0] = machinetest.Row{"good-enough", "archive"}
	if r := check(m); len(r.problems) == 0 {
		t.Error("a wrong target is not found")
	}
}

// TestWrongTables damages the table in every way: the code is wrong then.
func TestWrongTables(t *testing.T) {
	names := slices.Sorted(maps.Values(criticNames))
	tried := 0
	wrongTable := func(what string, change func(m *machinetest.Machine[criticKey, criticState])) {
		m := critic()
		change(&m)
		tried++
		if r := check(m); len(r.problems) == 0 {
			t.Errorf("%s is not found", what)
		}
		m = critic()
		change(&m)
		m.Run = nil
		if r := check(m); len(r.problems) == 0 && !strings.HasPrefix(what, "run:") {
			t.Errorf("%s is not found by asking", what)
		}
	}
	for state, rows := range critic().Table {
		wrongRows := func(what string, change func(rows machinetest.Rows) machinetest.Rows) {
			wrongTable(what+" in "+state, func(m *machinetest.Machine[criticKey, criticState]) { m.Table[state] = change(m.Table[state]) })
		}
		for i, row := range rows {
			key, to := row[0], row[1]
			for _, other := range append(names, machinetest.End) {
				if other != to {
					wrongRows(fmt.Sprintf("%q to %q", key, other), replacing(i, machinetest.Row{key, other}))
				}
			}
			wrongRows(fmt.Sprintf("no %q", key), replacing(i))
			wrongRows(fmt.Sprintf("another key than %q", key), replacing(i, machinetest.Row{"altered", to}))
			if key == machinetest.Else || key == machinetest.Always {
				continue // which Keys does not have, wherever and however often they stand
			}
			wrongRows(fmt.Sprintf("%q twice", key), replacing(i, row, row))
			if i > 0 {
				wrongRows(fmt.Sprintf("%q before %q", key, rows[i-1][0]), swapping(i-1, i))
			}
		}
		wrongRows("a row more", replacing(len(rows), machinetest.Row{"more", "done"}))
		wrongTable("no state "+state, func(m *machinetest.Machine[criticKey, criticState]) { delete(m.Table, state) })
	}
	for _, name := range names {
		if name != "draft" {
			wrongTable("run: initial "+name, func(m *machinetest.Machine[criticKey, criticState]) { m.Initial = name })
		}
	}
	wrongTable("run: a marker as terminal", func(m *machinetest.Machine[criticKey, criticState]) {
		m.Terminals, m.Markers = append(m.Terminals, m.Markers...), nil
	})
	wrongTable("run: a terminal as marker", func(m *machinetest.Machine[criticKey, criticState]) {
		m.Terminals, m.Markers = nil, append(m.Markers, m.Terminals...)
	})
	wrongTable("a state more", func(m *machinetest.Machine[criticKey, criticState]) { m.Markers = append(m.Markers, "more") })
	if tried < 43 {
		t.Errorf("only %d tables were tried", tried)
	}
}

// replacing replaces row i, or adds to the rows behind the last one.
func replacing(i int, with ...machinetest.Row) func(machinetest.Rows) machinetest.Rows {
	return func(rows machinetest.Rows) machinetest.Rows {
		return slices.Replace(slices.Clone(rows), i, min(i+1, len(rows)), with...)
	}
}

func swapping(i, j int) func(machinetest.Rows) machinetest.Rows {
	return func(rows machinetest.Rows) machinetest.Rows {
		rows = slices.Clone(rows)
		rows[i], rows[j] = rows[j], rows[i]

		return rows
	}
}

// TestFaultyCode gives the code one fault at a time.
func TestFaultyCode(t *testing.T) {
	is := func(s, of criticState, key, row criticKey) bool { return s == of && key == row }
	run := func(l loop) faults {
		if l.initial == 0 {
			l.initial = criticDraft
		}
		if l.places == nil {
			l.places = criticPlaces
		}
		return faults{run: func(fx runtime.Effects, input string) (runtime.Finish, error) { return walkCritic(fx, input, l) }}
	}
	cases := map[string]faults{
		"a row leads elsewhere": {next: func(s criticState, key criticKey) (criticState, bool, bool) {
			return criticArchive, true, is(s, criticDraft, key, "good-enough")
		}},
		"a row is not there": {next: func(s criticState, key criticKey) (criticState, bool, bool) {
			return 0, false, is(s, criticDraft, key, "Needs Work")
		}},
		"a row too much": {next: func(s criticState, key criticKey) (criticState, bool, bool) {
			return criticDraft, true, is(s, criticDraft, key, "again")
		}},
		"a terminal goes on": {next: func(s criticState, _ criticKey) (criticState, bool, bool) {
			return criticDraft, true, s == criticArchive
		}},
		"what is no state leads on": {next: func(s criticState, _ criticKey) (criticState, bool, bool) {
			return criticDraft, true, s == 0
		}},
		"a row leads to what is no state": {next: func(s criticState, key criticKey) (criticState, bool, bool) {
			return 99, true, is(s, criticSettle, key, "stop")
		}},
		"the end is not told from no row": {next: func(s criticState, key criticKey) (criticState, bool, bool) {
			return 0, false, is(s, criticSettle, key, "stop")
		}},
		"a key is found only as it is": {canonical: func(s criticState, answer string) (criticKey, rt.Match, bool) {
			return criticKey(answer), rt.MatchNone, s == criticDraft && answer == "GOOD-ENOUGH"
		}},
		"a folded key is not the row's": {canonical: func(s criticState, answer string) (criticKey, rt.Match, bool) {
			return criticKey(wording.Fold(answer)), rt.MatchFolded, s == criticDraft && answer == "NEEDS WORK"
		}},
		"how a key was found": {canonical: func(s criticState, answer string) (criticKey, rt.Match, bool) {
			return criticKey(answer), rt.MatchFolded, s == criticDraft && answer == "good-enough"
		}},
		"an empty answer is a key": {canonical: func(s criticState, answer string) (criticKey, rt.Match, bool) {
			return "good-enough", rt.MatchFolded, s == criticDraft && answer == ""
		}},
		"a long answer is cut": {canonical: func(s criticState, answer string) (criticKey, rt.Match, bool) {
			return criticKey(answer[:min(9, len(answer))]), rt.MatchCatchAll, s == criticSettle && len(answer) > 1000
		}},
		"bytes are lost": {canonical: func(s criticState, answer string) (criticKey, rt.Match, bool) {
			return criticKey(strings.ToValidUTF8(answer, "")), rt.MatchCatchAll, s == criticSettle && answer == "\xff"
		}},
		"bytes are lost behind a key": {canonical: func(s criticState, answer string) (criticKey, rt.Match, bool) {
			return "again", rt.MatchFolded, s == criticSettle && answer == "again\xff"
		}},
		"keys in another order": {keys: func(s criticState) []criticKey {
			return map[criticState][]criticKey{criticSettle: {"stop", "again"}}[s]
		}},
		"a key is missing": {keys: func(s criticState) []criticKey { return map[criticState][]criticKey{criticDraft: {"good-enough"}}[s] }},
		"nothing ends":     {terminal: func(criticState) bool { return false }},
		"all ends":         {terminal: func(criticState) bool { return true }},
		"two states of a name": {name: func(s criticState) string {
			return map[criticState]string{1: "draft", 2: "draft", 3: "settle", 4: "done", 5: "archive"}[s]
		}},
		"a state of another name": {name: func(s criticState) string {
			return map[criticState]string{1: "draft", 2: "Critique", 3: "settle", 4: "done", 5: "archive"}[s]
		}},
		"a name is another state's": {parse: func(text string) (criticState, bool) { return criticDraft, text == "done" }},
		"any name is a state":       {parse: func(text string) (criticState, bool) { return criticDraft, text == "no state has this name" }},
		"a text is not read":        {unmarshal: func(s *criticState, text string) bool { return text == "settle" }},
		"no text is a state":        {unmarshal: func(s *criticState, text string) bool { *s = criticDraft; return text == "" }},
		"no text changes nothing":   {unmarshal: func(_ *criticState, text string) bool { return text == "" }},

		"begins elsewhere": run(loop{initial: criticSettle}),
		"runs another agent": run(loop{agent: func(s criticState) string {
			return map[criticState]string{1: "draft", 2: "critique", 3: "draft", 5: "archive"}[s]
		}}),
		"another agent at the end": run(loop{agent: func(s criticState) string {
			return map[criticState]string{1: "draft", 2: "critique", 3: "settle", 5: "draft"}[s]
		}}),
		"does not go where Next leads": run(loop{take: func(s criticState, key criticKey, next criticState) criticState {
			if s == criticSettle && key == "again" {
				return criticCritique
			}
			return next
		}}),
		"lets a key in that has no row": run(loop{places: map[criticState]rt.Place{
			criticDraft: rt.Open("critic", "draft"), criticSettle: criticPlaces[criticSettle],
		}}),
		"keeps a key out": run(loop{places: map[criticState]rt.Place{
			criticDraft: rt.Closed("critic", "draft", "good-enough"), criticSettle: criticPlaces[criticSettle],
		}}),
		"takes no other key": run(loop{places: map[criticState]rt.Place{
			criticDraft: criticPlaces[criticDraft], criticSettle: rt.Closed("critic", "settle", "again", "stop"),
		}}),
		"goes on after a failure": run(loop{deaf: true}),
		"loses a failure": {run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			fin, _ := walkCritic(fx, input, loop{initial: criticDraft, places: criticPlaces})
			return fin, nil
		}},
		"changes the result": run(loop{end: func(fin runtime.Finish) runtime.Finish { return runtime.Finish{Key: fin.Key} }}),
		"changes the key":    run(loop{end: func(fin runtime.Finish) runtime.Finish { return runtime.Finish{Value: fin.Value} }}),
		"fails": {run: func(runtime.Effects, string) (runtime.Finish, error) {
			return runtime.Finish{}, errors.New("no way")
		}},
		"does nothing": {run: func(runtime.Effects, string) (runtime.Finish, error) { return runtime.Finish{Key: "done"}, nil }},
		"stops on the way": {run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			walk := rt.NewWalk(fx, "critic", 20, input)
			walk.Enter("draft")
			walk.Did(agent("draft")(fx, input, criticPlaces[criticDraft]))
			key, match := criticDraft.CanonicalKey(walk.Key())
			next, _ := criticDraft.Next(key)
			walk.Take(string(key), match, next.String())
			return walk.End()
		}},
	}
	defer func() { wrong = faults{} }()
	for name, fault := range cases {
		wrong = fault
		r := check(critic())
		if len(r.problems) == 0 {
			t.Errorf("%s: nothing is found", name)
			continue
		}
		t.Logf("%s: %s", name, r.problems[0])
	}
}

// TestProblemsAreBounded: what is wrong for all keys is not told for each of them.
func TestProblemsAreBounded(t *testing.T) {
	defer func() { wrong = faults{} }()
	wrong.canonical = func(criticState, string) (criticKey, rt.Match, bool) { return "x", rt.MatchGuard, true }
	r := check(critic())
	if len(r.problems) != 21 || !strings.Contains(r.problems[20], " more problems") {
		t.Errorf("%d problems: %q", len(r.problems), r.problems)
	}
}

// TestLeftOut: rows that no run takes are logged, and are asked about all the same.
func TestLeftOut(t *testing.T) {
	defer func() { wrong = faults{} }()
	m := critic()
	wrong.run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
		places := maps.Clone(criticPlaces)
		places[criticDraft] = rt.Closed("critic", "draft", "good-enough")
		return walkCritic(fx, input, loop{initial: criticDraft, places: places})
	}
	m.Partly = true
	r := check(m)
	if len(r.problems) > 0 || !r.logged(`no run takes the row "Needs Work" of "draft"`) || !r.logged("1 of 6 rows were run, in 1 answers") {
		t.Errorf("problems %q, logs %q", r.problems, r.logs)
	}
	m.Table["settle"][1] = machinetest.Row{"stop", "archive"}
	if r := check(m); len(r.problems) == 0 {
		t.Error("a row that is not run is not asked about")
	}
}
