package machinetest_test

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
	"github.com/agentc-dev/agentc/runtime/machinetest"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// The machine of this file is written as agentc writes one. Its methods ask faults before they answer.

type criticState uint8

const (
	criticDraft criticState = iota + 1
	criticCritique
	criticSettle
	criticDone
	criticArchive
)

type criticKey string

// faults are what is wrong with the machine: each nil where nothing is.
type faults struct {
	next      func(s criticState, key criticKey) (criticState, bool, bool)
	canonical func(s criticState, answer string) (criticKey, rt.Match, bool)
	keys      func(s criticState) []criticKey
	terminal  func(s criticState) bool
	name      func(s criticState) string
	parse     func(text string) (criticState, bool)
	unmarshal func(s *criticState, text string) bool
	run       func(fx runtime.Effects, input string) (runtime.Finish, error)
}

// wrong are the faults of the machine now: the tests of this package run one after another.
var wrong faults

var criticNames = map[criticState]string{
	criticDraft: "draft", criticCritique: "critique", criticSettle: "settle", criticDone: "done", criticArchive: "archive",
}

func (s criticState) Next(key criticKey) (criticState, bool) {
	if wrong.next != nil {
		if next, ok, is := wrong.next(s, key); is {
			return next, ok
		}
	}
	switch s {
	case criticDraft:
		switch key {
		case "good-enough":
			return criticDone, true
		case "Needs Work":
			return criticCritique, true
		}
	case criticCritique:
		return criticSettle, true
	case criticSettle:
		switch key {
		case "again":
			return criticDraft, true
		case "stop":
			return 0, true
		default:
			return criticArchive, true
		}
	}

	return 0, false
}

func (s criticState) Keys() []criticKey {
	if wrong.keys != nil {
		if keys := wrong.keys(s); keys != nil {
			return keys
		}
	}
	switch s {
	case criticDraft:
		return []criticKey{"good-enough", "Needs Work"}
	case criticSettle:
		return []criticKey{"again", "stop"}
	}

	return nil
}

func (s criticState) CanonicalKey(answer string) (criticKey, rt.Match) {
	if wrong.canonical != nil {
		if key, match, is := wrong.canonical(s, answer); is {
			return key, match
		}
	}
	for _, key := range s.Keys() {
		if string(key) == answer {
			return key, rt.MatchExact
		}
	}
	folded := wording.Fold(answer)
	for _, key := range s.Keys() {
		if wording.Fold(string(key)) == folded {
			return key, rt.MatchFolded
		}
	}
	switch s {
	case criticCritique:
		return criticKey(answer), rt.MatchUnconditional
	case criticSettle:
		return criticKey(answer), rt.MatchCatchAll
	}

	return criticKey(answer), rt.MatchNone
}

func (s criticState) Terminal() bool {
	if wrong.terminal != nil {
		return wrong.terminal(s)
	}

	return s == 0 || s == criticDone || s == criticArchive
}

// runs reports whether an agent runs in s.
func (s criticState) runs() bool { return s > 0 && s <= criticArchive && s != criticDone }

func (s criticState) String() string {
	if wrong.name != nil {
		return wrong.name(s)
	}

	return criticNames[s]
}

func (s criticState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s *criticState) UnmarshalText(text []byte) (err error) {
	if wrong.unmarshal != nil && wrong.unmarshal(s, string(text)) {
		return nil
	}
	if len(text) == 0 {
		*s = 0
		return nil
	}
	*s, err = parseCriticState(string(text))

	return err
}

func parseCriticState(text string) (criticState, error) {
	if wrong.parse != nil {
		if s, is := wrong.parse(text); is {
			return s, nil
		}
	}
	for s, name := range criticNames {
		if name == text {
			return s, nil
		}
	}

	return 0, &rt.UnknownNameError{Machine: "critic", Kind: "state", Name: text}
}

// agent runs the agent of a state.
func agent(name string) rt.RunFunc {
	return func(fx runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
		if name == "critique" {
			return rt.Oneshot(fx, &rt.OneshotSpec{Agent: name, Prompt: "Say."}, input)
		}

		return rt.React(fx, &rt.ReactSpec{Agent: name, Prompt: "Do.", MaxIter: 5, Repair: 1}, nil, input, at...)
	}
}

var criticPlaces = map[criticState]rt.Place{
	criticDraft:    rt.Closed("critic", "draft", "good-enough", "Needs Work"),
	criticCritique: rt.Place{},
	criticSettle:   rt.Open("critic", "settle", "again", "stop"),
	criticArchive:  rt.Place{},
}

func runCritic(fx runtime.Effects, input string) (runtime.Finish, error) {
	if wrong.run != nil {
		return wrong.run(fx, input)
	}

	return walkCritic(fx, input, loop{initial: criticDraft, places: criticPlaces})
}

// loop is a walk of the machine that may be another one.
type loop struct {
	initial criticState
	places  map[criticState]rt.Place
	agent   func(s criticState) string
	// draft runs in draft instead of its agent.
	draft rt.RunFunc
	take  func(s criticState, key criticKey, next criticState) criticState
	// deaf says that the loop does not look whether an agent failed.
	deaf bool
	end  func(fin runtime.Finish) runtime.Finish
}

func walkCritic(fx runtime.Effects, input string, l loop) (runtime.Finish, error) {
	walk := rt.NewWalk(fx, "critic", 20, input)
	state := l.initial
	for state.runs() && walk.Enter(criticNames[state]) {
		name := criticNames[state]
		if l.agent != nil {
			name = l.agent(state)
		}
		run := agent(name)
		if l.draft != nil && state == criticDraft {
			run = l.draft
		}
		walk.Did(run(fx, walk.Value(), l.places[state]))
		if walk.Failed() && !l.deaf {
			break
		}
		if state == criticArchive {
			return walk.End()
		}
		key, match := state.CanonicalKey(walk.Key())
		next, ok := state.Next(key)
		if !ok {
			return walk.Reject(nil)
		}
		if l.take != nil {
			next = l.take(state, key, next)
		}
		walk.Take(string(key), match, next.String())
		state = next
	}
	fin, err := walk.End()
	if l.end != nil {
		fin = l.end(fin)
	}

	return fin, err
}

func critic() machinetest.Machine[criticKey, criticState] {
	return machinetest.Machine[criticKey, criticState]{
		Name: "critic", Initial: "draft",
		Table: machinetest.Table{
			"draft":    {{"good-enough", "done"}, {"Needs Work", "critique"}},
			"critique": {{machinetest.Always, "settle"}},
			"settle":   {{"again", "draft"}, {"stop", machinetest.End}, {"*", "archive"}},
		},
		Terminals: []string{"archive"},
		Markers:   []string{"done"},
		Last:      criticArchive, ParseState: parseCriticState,
		Run: runCritic,
	}
}

// recorder keeps what a check tells.
type recorder struct {
	problems, logs []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.problems = append(r.problems, sprintf(format, args...))
}

func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, sprintf(format, args...))
}

func (r *recorder) logged(text string) bool {
	return strings.Contains(strings.Join(r.logs, "\n"), text)
}

// check checks a machine and returns what is told.
func check(m machinetest.Machine[criticKey, criticState]) *recorder {
	r := &recorder{}
	machinetest.Check(r, m)

	return r
}
