package command

import (
	"cmp"
	"encoding/json"
	"io"
	"os"
	"strings"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
)

var graphCommand = &cli.Command{
	Name: "graph", Args: "[DIR]", Max: 1,
	Summary: "draw a project's machines and flows as text, SVG or a page",
	Example: "agentc graph ./examples/support\nagentc graph --format dot --agent billing | dot -Tpdf > billing.pdf\nagentc graph --format svg -o machine.svg",
	Flags: []cli.Flag{
		{Name: "format", Value: "NAME", Choices: []string{"mermaid", "dot", "svg", "html"}, Help: "mermaid (the default), dot, svg, or html for a page"},
		{Name: "agent", Value: "NAME", Help: "draw this agent"},
		{Name: "o", Value: "FILE", Help: "write to FILE instead of stdout"},
	},
	Run: drawGraph,
}

func drawGraph(c *cli.Call) error {
	p, err := openProject(c, c.Arg(0))
	if err != nil {
		return err
	}
	result, err := p.checkOnly()
	if err != nil {
		return err
	}
	p.reportDiagnostics(c, result.Diagnostics)

	agents, err := p.chosenAgents(c, result.Program, graph.FindRoots(result.Program))
	if err != nil {
		return err
	}
	text, err := renderGraph(c.Flag("format"), errorSpans(result), agents)
	if err != nil {
		return err
	}
	if err := emitText(c, text); err != nil || !result.HasErrors() {
		return err
	}

	return c.Exit(cli.Problem)
}

// renderGraph returns the picture of agents in a format.
func renderGraph(format string, errors []source.Span, agents []*ir.Agent) (string, error) {
	if format == "dot" {
		return graph.DOT(errors, agents...), nil
	}
	text := graph.DrawMermaid(errors, agents...)
	switch format {
	case "svg":
		return page.SVG(text), nil
	case "html":
		var b strings.Builder
		err := (&page.Page{Title: strings.Join(agentNames(agents), ", "), Picture: text}).Write(&b)
		return b.String(), err
	}

	return text, nil
}

// errorSpans returns the positions of the errors of a project.
func errorSpans(result *gen.Result) []source.Span {
	return ir.Map(ir.Where(result.Diagnostics, (*diag.Diagnostic).IsError), func(d *diag.Diagnostic) source.Span { return d.Span })
}

// emitText writes text to stdout, or to the file of -o.
func emitText(c *cli.Call, text string) error {
	if file := c.Flag("o"); file != "" && file != "-" {
		return os.WriteFile(c.Path(file), []byte(text), 0o666)
	}
	_, err := io.WriteString(c.Stdout, text)

	return err
}

// printAs writes a value to stdout, as JSON or as text. Text is wrapped to the width of a terminal.
func printAs[T any](c *cli.Call, format string, value T, text func(T) string) error {
	if format == formatJSON {
		return printJSON(c.Stdout, value)
	}

	return c.Print(text(value))
}

// printJSON writes a value as JSON, without escapes for <, > and &.
func printJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")

	return e.Encode(value)
}

// chosenAgent returns the agent that is named by --agent or by its file; "" means the project's
// entry point.
func (p *project) chosenAgent(c *cli.Call) string { return cmp.Or(c.Flag("agent"), p.agent) }

// chosenAgents returns the chosen agent, or the default if none is chosen.
func (p *project) chosenAgents(c *cli.Call, program *ir.Program, defaults []*ir.Agent) ([]*ir.Agent, error) {
	name := p.chosenAgent(c)
	if name == "" {
		return defaults, nil
	}
	agent, err := findAgent(c, name, program)

	return []*ir.Agent{agent}, err
}

// findAgent returns the agent with a name, or a usage error.
func findAgent(c *cli.Call, name string, program *ir.Program) (*ir.Agent, error) {
	if agent := program.AgentByName(name); agent != nil {
		return agent, nil
	}

	return nil, c.Usagef("there is no agent %q%s", name, didYouMean(name, agentNames(program.Agents)))
}
