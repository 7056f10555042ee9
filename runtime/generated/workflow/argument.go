package workflow

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// argument is a named argument of a call.
type argument struct {
	function, name string
	value          Value
}

// mismatchError returns the error of an argument that is not what the function expects.
func (a argument) mismatchError(want string) error { return a.mismatchErrorAt("", want, a.value) }

// mismatchErrorAt is mismatchError for a part of the argument. path is its path, such as [2].price.
func (a argument) mismatchErrorAt(path, want string, part Value) error {
	text := a.function + ": " + a.name + path + ": found " + part.describeKind() + ", expected " + want

	return &errs.Coded{Code: "ArgumentError", Text: text}
}

func (a argument) asList() ([]Value, error) {
	if a.value.Kind() != kindList {
		return nil, a.mismatchError("a list")
	}

	return a.value.shape.items, nil
}

// asRows returns the items of a list; an object is a list of one.
func (a argument) asRows() ([]Value, error) {
	if a.value.Kind() == kindObject {
		return []Value{a.value}, nil
	}

	return a.asList()
}

func (a argument) asText() (string, error) {
	if a.value.Kind() != kindText {
		return "", a.mismatchError("text")
	}

	return a.value.text, nil
}

// asTexts returns a list of texts. given is false for none and for an empty list.
func (a argument) asTexts() (texts []string, given bool, err error) {
	if a.value.Kind() == kindNone {
		return nil, false, nil
	}
	items, err := a.asList()
	if err != nil {
		return nil, false, err
	}
	texts = make([]string, len(items))
	for i, item := range items {
		if item.Kind() != kindText {
			return nil, false, a.mismatchErrorAt(formatIndex(i), "text", item)
		}
		texts[i] = item.text
	}

	return texts, len(texts) > 0, nil
}

func formatIndex(i int) string { return "[" + strconv.Itoa(i) + "]" }

// maxFound is how many characters of a scalar a problem repeats.
const maxFound = 60

// describeKind describes v in a problem.
func (v Value) describeKind() string {
	switch v.Kind() {
	case kindNone, kindObject:
		return v.Kind().String()
	case kindList:
		if n := v.memberCount(); n != 1 {
			return "a list of " + strconv.Itoa(n) + " items"
		}
		return "a list of 1 item"
	case kindText:
		if n := runeCount(v.text); n > maxFound {
			return Text(string([]rune(v.text)[:maxFound])).JSON() + "… (" + strconv.Itoa(n) + " characters)"
		}
	}

	return v.JSON()
}
