package runtime

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ValueError says what is wrong with arguments, a result or an agent's value, in words that a model can act on.
type ValueError struct {
	// Path is where the first problem is, such as filters[2].lang; "" is the value itself.
	Path string
	// Problem is a sentence without a subject, such as `found 99, expected a whole number from 1 to 50`.
	Problem string
	// Others are further problems of the same value: in the order of the text, and what an object lacks behind its members.
	Others []ValueProblem
	// More counts the problems that are not listed any more.
	More int
}

// ValueProblem is one problem of a value.
type ValueProblem struct {
	Path, Problem string
}

// maxValueProblems bounds what is listed: enough to mend a value in one go, little enough for a model to read.
const maxValueProblems = 8

// Error returns all problems in one line.
func (e *ValueError) Error() string {
	var b strings.Builder
	b.WriteString(ValueProblem{e.Path, e.Problem}.String())
	for _, other := range e.Others {
		b.WriteString("; ")
		b.WriteString(other.String())
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "; and %d more", e.More)
	}

	return b.String()
}

// ErrorType is the code of the error; see [ErrorType].
func (*ValueError) ErrorType() string { return "ValueError" }

// String returns the path and the problem.
func (p ValueProblem) String() string {
	switch {
	case p.Path == "" && strings.HasPrefix(p.Problem, "is "):
		return "the value " + p.Problem
	case p.Path == "":
		return p.Problem
	case strings.HasPrefix(p.Problem, "is "):
		return p.Path + " " + p.Problem
	}

	return p.Path + ": " + p.Problem
}

// maxFound is how many characters of a value a problem repeats.
const maxFound = 60

// found describes v as it stands in the text, cut to what is needed to recognise it.
func (v *Value) found() string {
	switch v.kind {
	case valueList:
		return "a list of " + strconv.Itoa(v.Len()) + plural(v.Len(), " item", " items")
	case valueObject:
		return "an object"
	case valueText:
		literal := v.Literal()
		if utf8.RuneCountInString(literal) <= maxFound {
			return literal
		}
		n := utf8.RuneCountInString(v.Text())
		return cutText(literal) + `…" (` + strconv.Itoa(n) + plural(n, " character)", " characters)")
	}

	literal := v.Literal()
	if len(literal) > maxFound {
		return literal[:maxFound] + "…"
	}

	return literal
}

// cutText returns the first characters of a JSON string, opening quote included, without half of an escape at the end.
func cutText(literal string) string {
	end := 1
	for runes := 1; runes < maxFound && end < len(literal)-1; runes++ {
		switch {
		case strings.HasPrefix(literal[end:], `\u`):
			end += len(`\u0000`)
		case literal[end] == '\\':
			end += 2
		default:
			_, size := utf8.DecodeRuneInString(literal[end:])
			end += size
		}
	}

	return literal[:end]
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}

	return many
}
