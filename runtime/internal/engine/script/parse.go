package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// Bounds of a script: enough for every test, little enough that a faulty one cannot eat the memory.
const (
	maxRepeat = 100_000
	maxCalls  = 100_000
)

// comment is a member of a script that says nothing about a run: JSON has no comments.
const comment = "//"

// Check reads a script without using it. If p is not nil, it also reports names that the program does not have. The errors are
// *runtime.ScriptError.
func Check(text string, p *compiled.Program) error {
	s, err := Parse(text)
	if err != nil || p == nil {
		return err
	}

	return s.Check(p)
}

// Parse reads a script. The error is a *runtime.ScriptError.
func Parse(source string) (*Script, error) {
	if strings.TrimSpace(source) == "" {
		return nil, &runtime.ScriptError{Problem: "expected an object, found nothing"}
	}
	var whole json.RawMessage
	if err := json.Unmarshal([]byte(source), &whole); err != nil {
		return nil, &runtime.ScriptError{Problem: syntaxProblem(source, err)}
	}
	members, err := membersOf(whole)
	if err != nil {
		return nil, &runtime.ScriptError{Problem: err.Error()}
	}

	s := &Script{}
	for _, m := range members {
		if err := s.readSection(m); err != nil {
			return nil, err
		}
	}

	return s, nil
}

// syntaxProblem returns where JSON breaks, as line and column in bytes, from 1.
func syntaxProblem(source string, err error) string {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err.Error()
	}
	before := source[:min(int(syntax.Offset), len(source))]
	line := 1 + strings.Count(before, "\n")
	column := len(before) - strings.LastIndexByte(before, '\n') - 1

	problem := fmt.Sprintf("is not JSON at line %d, column %d: %s", line, max(column, 1), syntax.Error())
	if text := strings.TrimSpace(source); !strings.ContainsAny(text[:1], "{[") && strings.Contains(text, ":") {
		problem += "; only agentc run --script reads YAML, and agentc simulate --write-scripts DIR --format json writes scripts as JSON"
	}

	return problem
}

func (s *Script) readSection(m member) (err error) {
	switch m.Name {
	case comment:
	case "tools":
		s.tools, err = parseLists(m, parseToolAnswer)
	case "funcs":
		s.funcs, err = parseLists(m, parseToolAnswer)
	case "ask":
		s.asks, err = parseLists(m, parseAnswer)
	case "guards":
		s.guards, err = parseLists(m, parseVerdict)
	case anyAgent:
		s.anyone, err = parseList("", m, parseTurn)
	default:
		var l *list[turn]
		l, err = parseList("", m, parseTurn)
		if err == nil {
			s.agents = append(s.agents, l)
		}
	}

	return err
}

// parseLists reads a section: an object of lists.
func parseLists[T any](section member, item func(json.RawMessage) (T, error)) ([]*list[T], error) {
	members, err := membersOf(section.Value)
	if err != nil {
		return nil, &runtime.ScriptError{Section: section.Name, Problem: "expected names with lists: " + err.Error()}
	}

	lists := make([]*list[T], len(members))
	for i, m := range members {
		lists[i], err = parseList(section.Name, m, item)
		if err != nil {
			return nil, err
		}
	}

	return lists, nil
}

func parseList[T any](section string, m member, item func(json.RawMessage) (T, error)) (*list[T], error) {
	h, raws, err := parseHead(section, m)
	if err != nil {
		return nil, err
	}
	l := &list[T]{head: h, items: make([]T, len(raws))}
	for i, raw := range raws {
		l.items[i], err = item(raw)
		if err != nil {
			return nil, l.errorAt(i+1, err.Error())
		}
	}

	return l, nil
}

// parseHead reads a list except for its items.
func parseHead(section string, m member) (h head, items []json.RawMessage, err error) {
	h = head{section: section, name: m.Name, base: m.Name, branch: -1}
	if base, branch, ok := strings.Cut(m.Name, "@"); ok {
		n, err := strconv.Atoi(branch)
		if err != nil || n < 0 || strconv.Itoa(n) != branch {
			return h, nil, h.errorAt(0, "after @ comes the number of a branch, from 0")
		}
		h.base, h.branch = base, n
	}
	if m.Value[0] != '[' || json.Unmarshal(m.Value, &items) != nil {
		return h, nil, h.errorAt(0, "expected a list, found "+describeValue(m.Value))
	}
	h.size = len(items)

	return h, items, nil
}

func parseTurn(raw json.RawMessage) (turn, error) {
	var t turn
	replies, err := readFields(raw, func(m member) (err error) {
		switch m.Name {
		case "say":
			t.say, err = parseSay(m.Value)
		case "call":
			t.calls, err = parseCalls(m.Value)
		case "finish":
			t.finish, err = parseFinish(m.Value)
		case "error":
			t.failed, err = parseFailure(m.Value)
		case "signal":
			t.signals, err = parseSignals(m.Value)
		}

		return err
	}, "say", "call", "finish", "error", "signal")
	if err != nil {
		return turn{}, err
	}
	if replies == 0 {
		return turn{}, errors.New(`a turn holds say, call, finish or error; for an empty reply write say: ""`)
	}
	if t.signals != nil {
		replies--
	}
	switch {
	case t.failed != nil && replies > 1:
		return turn{}, errors.New("error is alone: a call that fails says nothing")
	case replies == 0:
		return turn{}, errors.New("signal is what comes while the model answers: the turn also needs say, call, finish or error")
	}

	return t, nil
}

func parseSay(raw json.RawMessage) (*string, error) {
	if raw[0] == 'n' {
		return nil, errors.New("say: expected text, found null")
	}
	said := textOf(raw).content // a number or an object is said as JSON

	return &said, nil
}

func parseCalls(raw json.RawMessage) ([]call, error) {
	var calls []call
	err := readEach("call", raw, func(number int, one json.RawMessage) error {
		c, times, err := parseCall(one)
		if err != nil {
			return fmt.Errorf("call %d: %w", number, err)
		}
		if len(calls)+times > maxCalls {
			return fmt.Errorf("call: more than %d calls in one turn", maxCalls)
		}
		calls = append(calls, slices.Repeat([]call{c}, times)...)

		return nil
	})

	return calls, err
}

func parseCall(raw json.RawMessage) (c call, times int, err error) {
	c, times = call{args: text{content: "{}", json: true}}, 1
	named := false
	_, err = readFields(raw, func(m member) (err error) {
		switch m.Name {
		case "name":
			named = true
			c.name, err = textIn(m.Value)
			if err != nil {
				return fmt.Errorf("name: %w", err)
			}
		case "args":
			c.args = textOf(m.Value)
		case "repeat":
			times, err = strconv.Atoi(string(m.Value))
			if err != nil || times < 1 || times > maxRepeat {
				return fmt.Errorf("repeat: found %s, expected a whole number from 1 to %d", compactJSON(m.Value), maxRepeat)
			}
		}

		return nil
	}, "name", "args", "repeat")
	if err == nil && !named {
		err = errors.New("a call needs a name")
	}

	return c, times, err
}

func parseFinish(raw json.RawMessage) (*finish, error) {
	f := &finish{args: textOf(raw)}
	if raw[0] == '"' {
		return f, nil
	}
	_, err := readFields(raw, func(m member) error {
		if m.Name == "key" {
			f.key = m.Value
		} else {
			f.value = m.Value
		}

		return nil
	}, "key", "value")
	if err != nil {
		return nil, fmt.Errorf("finish: %w", err)
	}

	return f, nil
}
