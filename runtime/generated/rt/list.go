package rt

import (
	"errors"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// ListSpec describes the list with which an agent finishes. It must not be changed.
type ListSpec struct {
	Kind ListKind
	// Key is the key of a react agent with which the value is a list, folded; with any other key it
	// is not. Empty: every key.
	Key string
	// Max limits the number of items; 0: no limit.
	Max int
}

// ListKind is the format of a list. JSON may be in a fenced block.
//
//   - items: a JSON array of at least one item.
//   - plan: a JSON array, one within other text, or text that is the one step; of at least one step.
//   - claims: a JSON array, or a line for each claim, headings left out. It may be empty.
type ListKind string

// Items returns the items of a list of the kind: strings as they are, other values as compact JSON.
// It returns nil if f is not a list.
func (kind ListKind) Items(f runtime.Finish) []string {
	items, err := kind.readList(f.Value)
	if err != nil {
		return nil
	}

	return items
}

// hasKey reports whether a value that comes with key is the list.
func (s *ListSpec) hasKey(key string) bool {
	return s != nil && (s.Key == "" || wording.Fold(s.Key) == wording.Fold(key))
}

// whyUnfit describes why a value is not the list. It returns nil if it is one.
func (s *ListSpec) whyUnfit(agent, text string) unfit {
	items, err := s.Kind.readList(text)
	switch {
	case err != nil:
		return outputError(agent, err)
	case len(items) == 0 && s.Kind != "claims":
		return &runtime.OutputError{Agent: agent, Problem: "the list is empty"}
	case s.Max > 0 && len(items) > s.Max:
		return &runtime.ItemLimitError{Agent: agent, Items: len(items), Limit: s.Max}
	}

	return nil
}

func (k ListKind) readList(text string) ([]string, error) {
	switch k {
	case "plan":
		return readPlan(withoutFences(text)), nil
	case "claims":
		return readClaims(withoutFences(text)), nil
	}

	return readArray(trimFence(text))
}

// readArray reads a JSON array. The error is a *ValueError.
func readArray(text string) ([]string, error) {
	v, err := parseValue(strings.TrimSpace(text))
	if err != nil {
		return nil, err
	}
	if v.kind != valueList {
		return nil, &runtime.ValueError{Problem: "found " + v.describeKind() + ", expected a list"}
	}

	items := make([]string, 0, v.Len())
	for _, item := range v.Items() {
		if item.kind == valueText {
			items = append(items, item.Text())
		} else {
			items = append(items, string(jsontext.Compact(nil, item.Literal())))
		}
	}

	return items, nil
}

// readPlan reads an array, an array of steps somewhere in the text, or takes the text as the one
// step.
func readPlan(text string) []string {
	if steps, err := readArray(text); err == nil {
		return steps
	}
	if steps, err := arrayWithin(text); err == nil {
		return steps
	}
	if isBlank(text) {
		return nil
	}

	return []string{strings.TrimSpace(text)}
}

var errNoSteps = errors.New("no array of steps")

// arrayWithin reads what is from the first bracket to the last one. Numbers are no steps there: [1]
// is a footnote.
func arrayWithin(text string) ([]string, error) {
	from, to := strings.IndexByte(text, '['), strings.LastIndexByte(text, ']')
	if from < 0 || to < from {
		return nil, errNoSteps
	}
	v, err := parseValue(text[from : to+1])
	if err != nil {
		return nil, err
	}
	for item := range v.children {
		if item.kind != valueText && item.kind != valueObject {
			return nil, errNoSteps
		}
	}

	return readArray(text[from : to+1])
}

// readClaims reads an array, or a line for each claim.
func readClaims(text string) []string {
	if claims, err := readArray(text); err == nil {
		return claims
	}

	var claims []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' {
			claims = append(claims, line)
		}
	}

	return claims
}
