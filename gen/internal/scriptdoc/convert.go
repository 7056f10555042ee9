package scriptdoc

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Convert parses the script f and returns its JSON, "" if there are findings. Agents and tools are looked up in p; with
// a nil p any name will do.
func Convert(f *source.File, p *ir.Program) (json string, findings []*diag.Diagnostic) {
	root, findings := yamldoc.Parse(f)
	if len(findings) > 0 {
		return "", findings
	}
	c := &converter{program: p}
	c.script(f, root)
	if len(c.findings) > 0 {
		return "", c.findings
	}

	return toJSON(root), nil
}

// converter checks the tree of a script, and makes texts of scalars where texts are meant.
type converter struct {
	program  *ir.Program
	findings []*diag.Diagnostic
}

func (c *converter) report(d *diag.Diagnostic) { c.findings = append(c.findings, d) }

// wrongType reports a value that is not what the grammar wants.
func (c *converter) wrongType(n *yamldoc.Node, what, want string) {
	c.report(diag.New(diag.WrongType, n.Span, "%s is %s, not %s", what, want, n.Kind))
}

// The sections of a script beside its agents.
const (
	toolsSection  = "tools"
	funcsSection  = "funcs"
	askSection    = "ask"
	guardsSection = "guards"
	anyAgent      = "*"
	// comment says nothing about a run: JSON has no comments.
	comment = "//"
)

func (c *converter) script(f *source.File, root *yamldoc.Node) {
	if root.IsNull() {
		c.report(diag.New(diag.MissingField, source.Span{File: f, Start: len(f.Bytes), End: len(f.Bytes)},
			"the script is empty: it needs an agent with turns"))
		return
	}
	if root.Kind != yamldoc.Map {
		c.wrongType(root, "a script", "a mapping from agents to lists of turns")
		return
	}

	for _, field := range root.Fields {
		switch name := field.Key.Text; name {
		case comment:
		case toolsSection:
			c.section(field, c.toolName, c.toolAnswer)
		case funcsSection:
			c.section(field, c.funcName, c.toolAnswer)
		case askSection:
			c.section(field, c.questionName, anything)
		case guardsSection:
			c.section(field, func(_, key *yamldoc.Node) { c.branch(key) }, c.verdict)
		default:
			c.agentName(root, field.Key)
			c.list(field.Value, "the value of "+quote(name), "a list of turns", c.turn)
		}
	}
}

// section checks a mapping from names to lists.
func (c *converter) section(field *yamldoc.Field, name func(section, key *yamldoc.Node), item func(*yamldoc.Node)) {
	what := "the section " + quote(field.Key.Text)
	if field.Value.IsNull() || field.Value.Kind != yamldoc.Map {
		c.wrongType(field.Value, what, "a mapping from names to lists of answers")
		return
	}
	for _, f := range field.Value.Fields {
		name(field.Value, f.Key)
		c.list(f.Value, "the value of "+quote(f.Key.Text), "a list of answers", item)
	}
}
