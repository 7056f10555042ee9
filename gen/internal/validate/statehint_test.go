package validate

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// What a hint says to write instead of a state of another system has no mistake itself.
func TestStateHintsAreRight(t *testing.T) {
	const head = "name: x\ndescription: X.\nversion: \"1\"\npattern: fsm\ninitial: b\nstates:\n  "
	states := []string{
		"b: {on: {done: b}}", "b: {on: {done: {target: b}, 'no': c}}", "b: {type: final}", "b: {unconditional: _end}",
		"b: {conditional: [{key: done, target: c}], unconditional: c}", "b: {next: c}", "b: {done: ~}", "b: {transitions: [{on: x, to: c}]}",
	}
	for _, written := range states {
		root, found := yamldoc.Parse(source.NewFile("f", []byte(head+written)))
		if len(found) > 0 {
			t.Fatal(found[0].Message)
		}
		problems := Document(Agent, root, root.Span.File)
		if len(problems) != 1 {
			t.Errorf("%s: %d problems", written, len(problems))
			continue
		}
		instead, ok := strings.CutPrefix(problems[0].Hint, "write ")
		root, found = yamldoc.Parse(source.NewFile("f", []byte(head+instead)))
		if !ok || len(found) > 0 {
			t.Errorf("%s: hint %q", written, problems[0].Hint)
			continue
		}
		for _, d := range Document(Agent, root, root.Span.File) {
			t.Errorf("%s: the hint %q leads to: %s", written, instead, d.Message)
		}
	}
}
