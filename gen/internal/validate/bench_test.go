package validate_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

const usualAgent = `---
name: smart-critic
description: Critic with early exit if the draft is already good.
version: "1.0.0"
pattern: fsm
initial: draft
states:
  draft:
    - good-enough: done
    - needs-work: critique
  critique: refine
  refine:
    - good-enough: done
    - needs-work: critique
  done: ~
---
`

func BenchmarkFrontmatter(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, found := yamldoc.ParseFrontmatter(source.NewFile("AGENT.md", []byte(usualAgent))); len(found) > 0 {
			b.Fatal(found[0].Message)
		}
	}
}

func BenchmarkDocument(b *testing.B) {
	f := source.NewFile("AGENT.md", []byte(usualAgent))
	fm, _ := yamldoc.ParseFrontmatter(f)
	b.ReportAllocs()
	for b.Loop() {
		if found := validate.Document(validate.Agent, fm.Head, f); len(found) > 0 {
			b.Fatal(found[0].Message)
		}
	}
}

// BenchmarkMistakes measures a document in which every row is wrong.
func BenchmarkMistakes(b *testing.B) {
	text := "name: x\ndescription: d\nversion: 1\npattern: fsm\ninitial: s0\nstates:\n"
	for i := range 1000 {
		text += "  s" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676)) + ":\n    - done: [x]\n"
	}
	f := source.NewFile("AGENT.md", []byte(text))
	root, _ := yamldoc.Parse(f)
	for b.Loop() {
		if found := validate.Document(validate.Agent, root, f); len(found) != 1000 {
			b.Fatal(len(found))
		}
	}
}
