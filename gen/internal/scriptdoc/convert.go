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

// Convert parses the script f and returns its JSON, or "" if there are findings. It looks up agents
// and tools in p. If p is nil, it accepts every name.
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
		c.checkField(root, field)
	}
	// A problem of a name also explains a mismatch with the schema at the same place.
	for _, d := range unfit {
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

// converter looks up the names of a script. It also turns scalars into texts where the script needs
// texts.
type converter struct {
	program  *ir.Program
	findings []*diag.Diagnostic
}

func (c *converter) report(d *diag.Diagnostic) { c.findings = append(c.findings, d) }

// The sections of a script, in addition to its agents.
const (
	toolsSection  = "tools"
	funcsSection  = "funcs"
	askSection    = "ask"
	guardsSection = "guards"
	anyAgent      = "*"
	// comment has no effect on a run. It exists because JSON has no comments.
	comment = "//"
)

func (c *converter) checkField(root *yamldoc.Node, field *yamldoc.Field) {
	switch field.Key.Text {
	case comment:
	case toolsSection:
		c.checkSection(field.Value, diag.UndefinedTool, "tool %q is not defined", func(name string) ([]string, bool) {
			return append(c.listToolNames(), builtin.Tools()...), c.program.LacksTools() || builtin.Tool(name) != ""
		})
	case funcsSection:
		c.checkSection(field.Value, diag.UndefinedTool, "no workflow calls a function %q", func(string) ([]string, bool) {
			return c.listFuncNames(), false
		})
	case askSection: // an agent that asks a person, or a tool with confirm: true
		const problem = "question %q is the name of no human agent, of no hitl step and of no tool with confirm: true"
		c.checkSection(field.Value, diag.UndefinedAgent, problem, func(name string) ([]string, bool) {
			agent := c.findAgent(name)
			// An agent without a node may become one that asks when it is fixed.
			mayAsk := agent != nil && (agent.Node == nil || agent.Node.Pattern() == humanPattern)
			return c.listQuestionNames(), mayAsk || c.program.LacksTools()
		})
	case guardsSection:
		c.checkSection(field.Value, nil, "", func(string) ([]string, bool) { return nil, true })
	default:
		c.checkAgentName(root, field.Key)
		for _, turn := range field.Value.Items {
			convertTurn(turn)
		}
	}
}

// checkSection checks the names in a section. lookUp returns the names that the section can have,
// or true if the name is accepted anyway.
func (c *converter) checkSection(
	section *yamldoc.Node, check *diag.Check, problem string, lookUp func(name string) (known []string, accepted bool),
) {
	for _, f := range section.Fields {
		for _, answer := range f.Value.Items {
			convertToTexts(answer.Value("error"), answer.Value("reason"))
		}
		name, ok := c.cutBranch(f.Key)
		if !ok || c.program == nil {
			continue
		}
		if known, accepted := lookUp(name); !accepted && !slices.Contains(known, name) {
			c.report(c.addSuggestion(diag.New(check, f.Key.Span, problem, name), section, name, known))
		}
	}
}

// convertTurn turns the scalars of a turn into texts and whole numbers where the runtime
// needs them.
func convertTurn(n *yamldoc.Node) {
	failure := n.Value("error")
	convertToTexts(n.Value("say"), n.Value("finish").Value("key"), failure, failure.Value("message"))
	convertToInteger(failure.Value("status"))
	for _, call := range listItems(n.Value("call")) {
		convertToTexts(call.Value("name"))
		convertToInteger(call.Value("repeat"))
	}
	for _, signal := range listItems(n.Value("signal")) {
		convertToTexts(signal, signal.Value("kind"), signal.Value("value"))
	}
}

// listItems returns the items of a list, or any other value alone.
func listItems(n *yamldoc.Node) []*yamldoc.Node {
	if n != nil && n.Kind == yamldoc.Seq {
		return n.Items
	}

	return []*yamldoc.Node{n}
}

// convertToTexts turns scalars of any kind into texts.
func convertToTexts(nodes ...*yamldoc.Node) {
	for _, n := range nodes {
		if _, isScalar := n.Scalar(); isScalar {
			n.Kind = yamldoc.String
		}
	}
}

// convertToInteger removes the fraction of a whole number, because the schema accepts 3.0 for 3.
func convertToInteger(n *yamldoc.Node) {
	if n != nil && n.Kind == yamldoc.Float {
		f, _ := n.JSON().(json.Number).Float64()
		n.Kind, n.Text = yamldoc.Int, strconv.FormatFloat(f, 'f', 0, 64)
	}
}

// checkAgentName checks a key of the script, such as draft, draft@1 or blog/critique.
func (c *converter) checkAgentName(script, key *yamldoc.Node) {
	name, ok := c.cutBranch(key)
	if !ok || c.program == nil || key.Text == anyAgent {
		return
	}
	folder, step, isStep := strings.Cut(name, "/")
	agent := c.findAgent(folder)
	if agent == nil && slices.Contains(c.listFuncNames(), name) {
		c.report(diag.New(diag.UndefinedAgent, key.Span, "%q is a function, not an agent", name).WithHint(underFuncs))
		return
	}
	if agent == nil {
		sections := []string{toolsSection, funcsSection, askSection, guardsSection}
		d := diag.New(diag.UndefinedAgent, key.Span, "agent %q is not defined", folder)
		c.report(c.addSuggestion(d, script, folder, append(ir.Map(c.program.Agents, func(a *ir.Agent) string { return a.Name.Value }), sections...)))
		return
	}
	labels := ir.Map(agent.Conversations(), func(s *ir.Step) string { return s.Label(folder) })
	flow, isFlow := ir.PatternOf(agent.Node)
	workflow, isWorkflow := ir.WorkflowOf(agent.Node)
	isPartial := isFlow && flow.Partial || isWorkflow && workflow.Partial
	if agent.Node == nil || isPartial || slices.Contains(labels, name) {
		return
	}
	if isStep {
		d := diag.New(diag.UndefinedStep, key.Span, "agent %q has no step %q", folder, step)
		c.report(c.addSuggestion(d, script, name, labels))
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

// addSuggestion adds the most similar candidate for a key of a mapping to d. There is no fix if the
// mapping already has that key. There is none for a typed tool either: its skill names it only
// once, and either name can be the misspelled one.
func (c *converter) addSuggestion(d *diag.Diagnostic, mapping *yamldoc.Node, name string, candidates []string) *diag.Diagnostic {
	if near, ok := diag.Nearest(name, candidates); ok && slices.Contains(c.listToolNames(), near) {
		return d.Guess(name, candidates)
	}
	d.Suggest(name, candidates)
	if len(d.Fixes) > 0 && mapping.Field(d.Fixes[0].Edits[0].New) != nil {
		d.Fixes = nil
	}

	return d
}

// humanPattern is the pattern of agents that ask a person.
const humanPattern = "human"

// underFuncs is the hint for functions that a script answers in the wrong section.
const underFuncs = "functions are answered under funcs, with {result: VALUE}"

// listFuncNames returns the names of the functions that workflows call.
func (c *converter) listFuncNames() []string {
	return ir.Map(c.program.Funcs, func(f *ir.Func) string { return f.Name.Value })
}

// listQuestionNames returns the names of the questions that the program asks people.
func (c *converter) listQuestionNames() []string {
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

// cutBranch returns a key such as search@2 without the number of the branch. It reports an invalid
// number.
func (c *converter) cutBranch(key *yamldoc.Node) (name string, ok bool) {
	name, branch, hasBranch := strings.Cut(key.Text, "@")
	if hasBranch && !isBranchNumber(branch) {
		c.report(diag.New(diag.BadValue, key.Span, "%q: behind @ is the number of a branch, from 0", key.Text))
		return name, false
	}

	return name, true
}

func isBranchNumber(text string) bool {
	number, err := strconv.Atoi(text)

	return err == nil && number >= 0 && strconv.Itoa(number) == text
}

// findAgent returns the agent with this name, or in a folder of this name, or nil. Another check
// reports an agent whose name and folder differ.
func (c *converter) findAgent(name string) *ir.Agent {
	return ir.First(c.program.Agents, func(a *ir.Agent) bool { return a.Name.Value == name || a.Folder == name })
}

// listToolNames returns the names of the tools of the program, without the built-in ones.
func (c *converter) listToolNames() []string {
	return ir.Map(c.program.AllTools(), func(t *ir.Tool) string { return t.Name.Value })
}
