package runtime

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// ValueError describes what is wrong with arguments, a result or an agent's value, in words on which a model can act.
type ValueError struct {
	// Path is where the first problem is, such as filters[2].lang; "" is the value itself.
	Path string
	// Problem is a sentence without a subject, such as `found 99, expected a whole number from 1 to 50`.
	Problem string
	// Others are further problems of the same value, in the order of the text; missing properties of an object follow
	// its members.
	Others []ValueProblem
	// More is the number of problems that are not listed.
	More int
}

// ValueProblem is one problem of a value.
type ValueProblem struct {
	Path, Problem string
}

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

// String returns the path, of which it has as much as a message has of a text, and the problem.
func (p ValueProblem) String() string {
	path := wording.Start(p.Path)
	switch {
	case p.Path == "" && strings.HasPrefix(p.Problem, "is "):
		return "the value " + p.Problem
	case p.Path == "":
		return p.Problem
	case strings.HasPrefix(p.Problem, "is "):
		return path + " " + p.Problem
	}

	return path + ": " + p.Problem
}
