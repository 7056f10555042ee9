package graph

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// loadWithErrors loads a project, whatever is wrong with it, and returns where its errors are.
func loadWithErrors(t *testing.T, archive *txtar.Archive) (*ir.Program, []source.Span) {
	t.Helper()
	project := fstest.MapFS{}
	for _, f := range archive.Files {
		project[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	list := &diag.List{}
	p, err := loader.Load(project, list)
	if err != nil {
		t.Fatal(err)
	}
	check.Run(p, list)
	var errors []source.Span
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error {
			errors = append(errors, d.Span)
		}
	}

	return p, errors
}

// drawnID is an identifier of a picture: a node, or a frame.
var (
	mermaidID = regexp.MustCompile(`(?m)^ *(?:subgraph )?(n\d+)[[({]`)
	mermaidTo = regexp.MustCompile(`(?m)^ *(\S*) -\.?->(?:\|"[^"]*"\|)? ?(\S*)$`)
)

// TestProjectsWithErrorsAreDrawn draws all cases of what can be wrong. Each edge leads from
// something that is drawn to something that is drawn.
func TestProjectsWithErrorsAreDrawn(t *testing.T) {
	cases, marked := 0, 0
	for _, pattern := range []string{"../check/testdata/err/*.txtar", "../agentmd/testdata/err/*.txtar", "../statemachine/testdata/err/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no cases in %s: %v", pattern, err)
		}
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, errors := loadWithErrors(t, archive)
			picture := DrawMermaid(errors, p.Agents...)
			ids := map[string]bool{}
			for _, m := range mermaidID.FindAllStringSubmatch(picture, -1) {
				ids[m[1]] = true
			}
			for _, m := range mermaidTo.FindAllStringSubmatch(picture, -1) {
				if !ids[m[1]] || !ids[m[2]] {
					t.Errorf("%s has an edge from %q to %q:\n%s", file, m[1], m[2], picture)
				}
			}
			red := strings.Contains(picture, errorColour)
			if inDOT := strings.Contains(DOT(errors, p.Agents...), errorColour); inDOT != red {
				t.Errorf("%s: errors are marked in Mermaid: %v, in DOT: %v", file, red, inDOT)
			}
			cases++
			if red {
				marked++
			}
		}
	}
	if marked < cases/2 {
		t.Errorf("of %d pictures only %d have an error marked", cases, marked)
	}
}

const skillIsMissing = `
-- agents/desk/AGENT.md --
---
name: desk
description: d
version: 1.0.0
pattern: fsm
initial: sort
states:
  sort: [{ok: refund}, {bad: pya}]
  refund: ~
---
-- agents/sort/AGENT.md --
---
name: sort
description: d
version: 1.0.0
pattern: react
keys: [ok, bad]
call: {uses: [ledger]}
---
Call finish with key ok or bad.
-- agents/refund/AGENT.md --
---
name: refund
description: d
version: 1.0.0
pattern: oneshot
---
Write.
`

// TestErrorsAreMarked: what is sound is drawn as ever; the agent without its skill, the row to no
// state and its target are red.
func TestErrorsAreMarked(t *testing.T) {
	p, errors := loadWithErrors(t, txtar.Parse([]byte(skillIsMissing)))
	got := DrawMermaid(errors, p.AgentByName("desk"))
	for _, want := range []string{
		"n3[\"sort\"]", "n4([\"refund\"])", "n3 -->|\"ok\"| n4", "n5((\"pya\"))", "n3 -->|\"bad\"| n5",
		"class n1,n3,n5 errorNode", "linkStyle 2 stroke:" + errorColour,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	if sound := DrawMermaid(nil, p.AgentByName("desk")); strings.Contains(sound, "errorNode") {
		t.Errorf("a picture without errors has one:\n%s", sound)
	}
}
