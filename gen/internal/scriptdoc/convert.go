package scriptdoc

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
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

	return root.CompactJSON(), nil
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
		c.section(field.Value, diag.UndefinedTool, "tool %q is not defined", func(name string) ([]string, bool) {
			return append(c.tools(), builtin.Tools()...), c.program.LacksTools() || builtin.Tool(name) != ""
		})
	case funcsSection:
		c.section(field.Value, diag.UndefinedTool, "no workflow calls a function %q", func(string) ([]string, bool) {
			return c.funcs(), false
		})
	case askSection: // an agent that asks a person, or a tool that wants to be confirmed
		const problem = "question %q is the name of no human agent, of no hitl step and of no tool with confirm: true"
		c.section(field.Value, diag.UndefinedAgent, problem, func(name string) ([]string, bool) {
			agent := c.agent(name)
			mayAsk := agent != nil && (agent.Node == nil || agent.Node.Pattern() == humanPattern) // once it is fixed
			return c.questions(), mayAsk || c.program.LacksTools()
		})
	case guardsSection:
		c.section(field.Value, nil, "", func(string) ([]string, bool) { return nil, true })
	default:
		c.agentName(root, field.Key)
		for _, turn := range field.Value.Items {
			turnTexts(turn)
		}
	}
}

// section looks up the names of a section: each is one of some names, or right all the same.
func (c *converter) section(section *yamldoc.Node, check *diag.Check, problem string, names func(name string) (known []string, right bool)) {
	for _, f := range section.Fields {
		for _, answer := range f.Value.Items {
			asTexts(answer.Value("error"), answer.Value("reason"))
		}
		name, ok := c.branch(f.Key)
		if !ok || c.program == nil {
			continue
		}
		if known, right := names(name); !right && !slices.Contains(known, name) {
			c.report(c.suggest(diag.New(check, f.Key.Span, problem, name), section, name, known))
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

// agentName checks a key of the script such as draft, draft@1 or blog/critique.
func (c *converter) agentName(script, key *yamldoc.Node) {
	name, ok := c.branch(key)
	if !ok || c.program == nil || key.Text == anyAgent {
		return
	}
	folder, step, isStep := strings.Cut(name, "/")
	agent := c.agent(folder)
	if agent == nil && slices.Contains(c.funcs(), name) {
		c.report(diag.New(diag.UndefinedAgent, key.Span, "%q is a function, not an agent", name).WithHint(underFuncs))
		return
	}
	if agent == nil {
		sections := []string{toolsSection, funcsSection, askSection, guardsSection}
		d := diag.New(diag.UndefinedAgent, key.Span, "agent %q is not defined", folder)
		c.report(c.suggest(d, script, folder, append(ir.Map(c.program.Agents, func(a *ir.Agent) string { return a.Name.Value }), sections...)))
		return
	}
	labels := ir.Map(agent.Conversations(), func(s *ir.Step) string { return s.Label(folder) })
	flow, isFlow := ir.PatternOf(agent.Node)
	workflow, isWorkflow := ir.WorkflowOf(agent.Node)
	isPartial := agent.Node == nil || isFlow && flow.Partial || isWorkflow && workflow.Partial
	if isPartial || slices.Contains(labels, name) {
		return
	}
	if isStep {
		d := diag.New(diag.UndefinedStep, key.Span, "agent %q has no step %q", folder, step)
		c.report(c.suggest(d, script, name, labels))
		return
	}
	d := diag.New(diag.BadValue, key.Span, "agent %q calls no model itself, so that it has no turns", folder)
	switch {
	case len(labels) > 0:
		d.WithHint("its steps have: write %s", strings.Join(ir.Map(labels, strconv.Quote), " or "))
	case len(c.program.Funcs) > 0:
		d.WithHint(underFuncs)
	}
	c.report(d)
}

// suggest adds the candidate that was meant by a key of a mapping; as a fix only if the mapping has no such key yet, and not for a
// typed tool: its skill names it once, and either name can be the misspelled one.
func (c *converter) suggest(d *diag.Diagnostic, mapping *yamldoc.Node, name string, candidates []string) *diag.Diagnostic {
	if near, ok := diag.Nearest(name, candidates); ok && slices.Contains(c.tools(), near) {
		return d.Guess(name, candidates)
	}
	if d.Suggest(name, candidates); len(d.Fixes) > 0 && mapping.Field(d.Fixes[0].Edits[0].New) != nil {
		d.Fixes = nil
	}

	return d
}

// humanPattern is the pattern of agents that ask a person.
const humanPattern = "human"

// underFuncs says where a script answers for functions.
const underFuncs = "functions are answered under funcs, with {result: VALUE}"

// funcs are the names of the functions that workflows call.
func (c *converter) funcs() []string {
	return ir.Map(c.program.Funcs, func(f *ir.Func) string { return f.Name.Value })
}

// questions are the names of the program's questions.
func (c *converter) questions() []string {
	var names []string
	for _, a := range c.program.Agents {
		if a.Node != nil && a.Node.Pattern() == humanPattern {
			names = append(names, a.Name.Value)
		}
		names = append(names, a.Questions()...)
	}
	for _, t := range c.program.AllTools() {
		if t.Confirm {
			names = append(names, t.Name.Value)
		}
	}

	return names
}

// branch cuts the number of a branch off a key: search@2. ok is false if it is none.
func (c *converter) branch(key *yamldoc.Node) (name string, ok bool) {
	name, branch, numbered := strings.Cut(key.Text, "@")
	if number, err := strconv.Atoi(branch); numbered && (err != nil || number < 0 || strconv.Itoa(number) != branch) {
		c.report(diag.New(diag.BadValue, key.Span, "%q: behind @ is the number of a branch, from 0", key.Text))
		return name, false
	}

	return name, true
}

// agent finds an agent by its name and by its folder's: where they differ, that has been said. nil: there is none.
func (c *converter) agent(name string) *ir.Agent {
	return ir.First(c.program.Agents, func(a *ir.Agent) bool { return a.Name.Value == name || a.Folder == name })
}

// tools are the tools of the program that are not built-in ones.
func (c *converter) tools() []string {
	return ir.Map(c.program.AllTools(), func(t *ir.Tool) string { return t.Name.Value })
}
