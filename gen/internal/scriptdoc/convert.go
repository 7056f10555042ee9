package scriptdoc

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Convert parses the script f and returns its JSON, "" if there are findings. Agents and tools are looked up in p; with
// a nil p any name will do.
func Convert(f *source.File, p *ir.Program) (text string, findings []*diag.Diagnostic) {
	root, findings := yamldoc.Parse(f)
	switch {
	case len(findings) > 0:
		return "", findings
	case root.IsNull():
		end := source.Span{File: f, Start: len(f.Bytes), End: len(f.Bytes)}
		return "", []*diag.Diagnostic{diag.New(diag.MissingField, end, "the script is empty: it needs an agent with turns")}
	}
	c := &converter{program: p}
	unfit := validate.Document(validate.Script, root, f)
	for _, field := range root.Fields {
		c.field(root, field)
	}
	for _, d := range unfit { // what is written for a name that is none follows from that
		if !slices.ContainsFunc(c.findings, func(known *diag.Diagnostic) bool { return known.Span == d.Span }) {
			c.report(d)
		}
	}
	if len(c.findings) > 0 {
		slices.SortStableFunc(c.findings, func(a, b *diag.Diagnostic) int { return a.Span.Start - b.Span.Start })
		return "", c.findings
	}

	return root.Compact(), nil
}

// converter looks up the names of a script, and makes texts of scalars where texts are meant.
type converter struct {
	program  *ir.Program
	findings []*diag.Diagnostic
}

func (c *converter) report(d *diag.Diagnostic) { c.findings = append(c.findings, d) }

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

func (c *converter) field(root *yamldoc.Node, field *yamldoc.Field) {
	switch field.Key.Text {
	case comment:
	case toolsSection:
		c.section(field.Value, c.toolName)
	case funcsSection:
		c.section(field.Value, c.funcName)
	case askSection:
		c.section(field.Value, c.questionName)
	case guardsSection:
		c.section(field.Value, func(_, key *yamldoc.Node) { c.branch(key) })
	default:
		c.agentName(root, field.Key)
		for _, turn := range field.Value.Items {
			turnTexts(turn)
		}
	}
}

// section looks up the names of a section.
func (c *converter) section(section *yamldoc.Node, name func(section, key *yamldoc.Node)) {
	for _, f := range section.Fields {
		name(section, f.Key)
		for _, answer := range f.Value.Items {
			asTexts(answer.Value("error"), answer.Value("reason"))
		}
	}
}

// turnTexts makes texts of what a turn has as texts.
func turnTexts(n *yamldoc.Node) {
	failure := n.Value("error")
	asTexts(n.Value("say"), n.Value("finish").Value("key"), failure, failure.Value("message"))
	asWhole(failure.Value("status"))
	for _, call := range oneOrMany(n.Value("call")) {
		asTexts(call.Value("name"))
		asWhole(call.Value("repeat"))
	}
	for _, signal := range oneOrMany(n.Value("signal")) {
		asTexts(signal, signal.Value("kind"), signal.Value("value"))
	}
}

// oneOrMany are the values of what is one value, or a list of some.
func oneOrMany(n *yamldoc.Node) []*yamldoc.Node {
	if n != nil && n.Kind == yamldoc.Seq {
		return n.Items
	}

	return []*yamldoc.Node{n}
}

// asTexts makes texts of scalars, whatever YAML takes them for.
func asTexts(nodes ...*yamldoc.Node) {
	for _, n := range nodes {
		if _, isScalar := n.Scalar(); isScalar {
			n.Kind = yamldoc.String
		}
	}
}

// asWhole writes a whole number without a fraction: 3.0 is one for the schema.
func asWhole(n *yamldoc.Node) {
	if n != nil && n.Kind == yamldoc.Float {
		f, _ := n.JSON().(json.Number).Float64()
		n.Kind, n.Text = yamldoc.Int, strconv.FormatFloat(f, 'f', 0, 64)
	}
}
