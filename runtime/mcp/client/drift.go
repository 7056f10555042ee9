package client

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// mostChanges is how many changes of a schema are reported.
const mostChanges = 5

// compareTools returns how what the server offers differs from what is pinned; nil if it does not. Tools that no skill unlocks do not count.
func (s Server) compareTools(offered []offeredTool) error {
	text := fmt.Sprintf("MCP server %q does not offer what agentc.lock says; look at the changes, and then run agentc mcp pin:", s.Name)
	drifts := false
	for _, pin := range s.Tools {
		i := slices.IndexFunc(offered, func(o offeredTool) bool { return o.Name == pin.Remote })
		changes := []string{"is gone"}
		if i >= 0 {
			changes = pin.compareWith(offered[i])
		}
		for _, change := range changes {
			text += "\n  " + pin.Remote + ": " + change
			drifts = true
		}
	}
	if !drifts {
		return nil
	}

	return &errs.Coded{Code: codeDrift, Text: text}
}

func (t Tool) compareWith(o offeredTool) []string {
	var changes []string
	if t.Spec.Description != o.Description {
		changes = append(changes, fmt.Sprintf("its description was %q and is %q", shorten(t.Spec.Description), shorten(o.Description)))
	}
	changes = append(changes, schemaChanges("its input", t.Spec.Input, string(o.Input))...)
	changes = append(changes, schemaChanges("its output", t.Spec.Output, string(o.Output))...)
	if !slices.Equal(t.Hints, o.Hints) {
		changes = append(changes, fmt.Sprintf("it said of itself %s, and says %s", hintText(t.Hints), hintText(o.Hints)))
	}

	return changes
}

func hintText(hints []string) string {
	if len(hints) == 0 {
		return "nothing"
	}

	return strings.Join(hints, ", ")
}

// schemaChanges returns how two JSON Schemas differ.
func schemaChanges(what, was, is string) []string {
	switch {
	case was == is:
		return nil
	case was == "":
		return []string{what + " has a schema now"}
	case is == "":
		return []string{what + " has no schema any more"}
	}
	var a, b any
	if json.Unmarshal([]byte(was), &a) != nil || json.Unmarshal([]byte(is), &b) != nil {
		return []string{what + " has another schema"}
	}
	changes := valueChanges(what, a, b)
	if rest := len(changes) - mostChanges; rest > 0 {
		changes = append(changes[:mostChanges:mostChanges], fmt.Sprintf("%s has %d more changes", what, rest))
	}

	return changes
}

// valueChanges returns how two values differ, and where.
func valueChanges(at string, was, is any) []string {
	if reflect.DeepEqual(was, is) {
		return nil
	}
	a, isObject := was.(map[string]any)
	b, alsoObject := is.(map[string]any)
	if !isObject || !alsoObject {
		return []string{fmt.Sprintf("%s was %s and is %s", at, shortJSON(was), shortJSON(is))}
	}
	var changes []string
	names := maps.Clone(a)
	maps.Copy(names, b)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, was := a[name]
		after, is := b[name]
		switch {
		case !was:
			changes = append(changes, fmt.Sprintf("%s.%s is new", at, name))
		case !is:
			changes = append(changes, fmt.Sprintf("%s.%s is gone", at, name))
		default:
			changes = append(changes, valueChanges(at+"."+name, before, after)...)
		}
	}

	return changes
}

func shortJSON(value any) string {
	text, _ := json.Marshal(value) // it was JSON

	return shorten(string(text))
}

// shorten cuts a text that is too long for a message.
func shorten(text string) string {
	const most = 120
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}

	return text
}
