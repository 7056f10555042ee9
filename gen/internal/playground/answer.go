package playground

import (
	"context"
	"strings"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
)

// Request is a project and the requested work.
type Request struct {
	// Files are the texts of the project, by path.
	Files map[string]string `json:"files"`
	// Run asks for a run of the entry point with Task.
	Run  bool   `json:"run"`
	Task string `json:"task"`
}

// Answer is the reply for the page.
type Answer struct {
	// Diagnostics is the output of agentc check, or "".
	Diagnostics string `json:"diagnostics"`
	// Picture is the diagram as SVG; "" if the project has no agents.
	Picture string `json:"picture"`
	// Run has a line for each step of the run; "" without a run.
	Run string `json:"run"`
}

// Reply answers a request.
func Reply(ctx context.Context, r Request) (*Answer, error) {
	project := fstest.MapFS{}
	for path, text := range r.Files {
		project[path] = &fstest.MapFile{Data: []byte(text)}
	}
	list := &diag.List{} // gen.Compile would link the packages that write Go
	program, err := loader.Load(project, list)
	if err != nil {
		return nil, err
	}
	check.Run(program, list)
	var text strings.Builder
	if err := diag.Text(&text, list.Sorted(), diag.TextOptions{}); err != nil {
		return nil, err
	}
	answer := &Answer{Diagnostics: text.String(), Picture: drawPicture(program, list.Sorted())}
	if r.Run && !list.HasErrors() {
		answer.Run = runEntry(ctx, program, r.Task)
	}

	return answer, nil
}

func drawPicture(p *ir.Program, diagnostics []*diag.Diagnostic) string {
	agents := graph.FindRoots(p)
	if len(agents) == 0 {
		return ""
	}
	errors := ir.Map(ir.Where(diagnostics, (*diag.Diagnostic).IsError), func(d *diag.Diagnostic) source.Span { return d.Span })

	return page.SVG(graph.DrawMermaid(errors, agents...))
}
