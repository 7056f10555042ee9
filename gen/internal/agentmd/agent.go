package agentmd

import (
	"cmp"
	"path"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// The defaults of limits, from the table of fields in the language's description.
const (
	defaultMaxIter  = 10
	defaultRepair   = 2
	defaultStuck    = 4
	defaultMaxSteps = 50
)

// document is an AGENT.md between reading and lowering.
type document struct {
	agent   *ir.Agent
	head    *yamldoc.Node // nil if it could not be parsed
	pattern string
	folder  folder
	// older says that a step is missing which the older form of the pattern does without.
	older bool
}

func (d *document) has(file string) bool { return slices.Contains(d.folder.files, file) }

func (d *document) path(file string) string { return path.Join(AgentsFolder, d.folder.name, file) }

// readAgents reads every AGENT.md and makes the agents known by name, before any of them is lowered.
func (l *loader) readAgents() {
	read := l.readMarkdowns(validate.Agent, pathsOf(AgentsFolder, l.agentFolders, AgentFile)...)
	for i, folder := range l.agentFolders {
		head := read[i].doc.Head
		d := &document{folder: folder, head: head, pattern: frontend.Text(head.Value("pattern")).Value}
		d.agent = agentOf(folder.name, read[i].file, read[i].doc)
		l.CheckName("agent", d.agent.Name, folder.name)
		l.documents = append(l.documents, d)
		l.AddAgent(d.agent)
	}
	for _, d := range l.documents {
		l.AddName(d.agent.Name.Value, d.agent) // a difference from its folder has been reported
	}
}

func agentOf(folder string, f *source.File, doc *yamldoc.Frontmatter) *ir.Agent {
	a := &ir.Agent{
		Name:        frontend.Text(doc.Head.Value("name")),
		File:        f,
		Folder:      folder,
		Description: frontend.Text(doc.Head.Value("description")),
		Version:     frontend.Text(doc.Head.Value("version")).Value,
		PatternAt:   frontend.Text(doc.Head.Value("pattern")),
		Prompt:      ir.Text{Value: doc.Body, Span: doc.BodySpan},
		Env:         frontend.Texts(doc.Head.Value("env")),
	}
	a.Name.Value = cmp.Or(a.Name.Value, folder)

	return a
}

// Lower gives every agent its node.
func (l *loader) Lower() {
	for _, d := range l.documents {
		if d.head == nil {
			continue
		}
		switch d.pattern {
		case "fsm":
			d.agent.Node = l.machine(d)
		case "react":
			l.wantPrompt(d.agent)
			d.agent.Call = l.call(d.head, ir.ReactRole)
			react := l.reactOf(d.head)
			d.agent.Node = react
			react.Gate = l.gate(d, react)
		case "oneshot":
			l.wantPrompt(d.agent)
			d.agent.Call = l.call(d.head, ir.OneshotRole)
			d.agent.Node = l.oneshotOf(d.head)
		default:
			lower, known := patterns[d.pattern]
			if !known {
				continue
			}
			d.agent.Node = l.newFlow(d, lower)
		}
		d.agent.Budget = l.budgetOf(d)
	}
	l.olderKeys()
}

// reactOf lowers a react loop; head may be nil.
func (l *loader) reactOf(head *yamldoc.Node) *ir.React {
	return &ir.React{
		MaxIter: l.Limit(head.Value("max_iter"), defaultMaxIter),
		Repair:  l.Limit(head.Value("repair"), defaultRepair),
		Stuck:   l.Limit(head.Value("stuck"), defaultStuck),
		Keys:    l.keys(head.Value("keys")),
		Uses:    l.uses(head.Value("call").Value("uses")),
		Output:  l.schema(head.Value("output")),
	}
}

// oneshotOf lowers a oneshot; head may be nil.
func (l *loader) oneshotOf(head *yamldoc.Node) *ir.Oneshot {
	return &ir.Oneshot{Repair: l.Limit(head.Value("repair"), defaultRepair), Output: l.schema(head.Value("output"))}
}

// keys reads the keys that an agent may finish with.
func (l *loader) keys(n *yamldoc.Node) []ir.Text {
	keys := frontend.Texts(n)
	for _, key := range keys {
		if key.Value == ir.CatchAll {
			l.List.Add(diag.New(diag.BadValue, key.Span, "%q is not a key: in rows it means every other key", key.Value))
		}
	}

	return keys
}

// uses reads the skills of an agent, each once.
func (l *loader) uses(n *yamldoc.Node) []ir.SkillRef {
	return ir.Map(l.once("skill", frontend.Texts(n)), func(use ir.Text) ir.SkillRef { return ir.SkillRef{Text: use, Skill: l.skills[use.Value]} })
}

// once returns names without those that are listed a second time, which it reports.
func (l *loader) once(what string, names []ir.Text) []ir.Text {
	listed := map[string]bool{}

	return slices.DeleteFunc(names, func(name ir.Text) bool {
		again := listed[name.Value]
		if again {
			l.List.Add(diag.New(diag.BadValue, name.Span, "%s %q is listed twice", what, name.Value))
		}
		listed[name.Value] = true

		return again
	})
}

// schema lowers a schema of a value; nil without one. That it is a mapping is a matter of the document's own schema.
func (l *loader) schema(n *yamldoc.Node) *ir.Schema {
	if n == nil || n.Kind != yamldoc.Map {
		return nil
	}
	schema, findings := schemadoc.Lower(n)
	l.List.Add(findings...)

	return schema
}

// budgetOf reads the budget of an agent. A machine that others drive runs nothing that could spend it.
func (l *loader) budgetOf(d *document) *ir.Budget {
	f := d.head.Get("budget")
	if f == nil {
		return nil
	}
	if d.agent.Driven() {
		l.List.Add(diag.New(diag.UnusedField, f.Key.Span,
			"field %q is not used: a machine that others drive spends nothing", f.Key.Text).Warn())

		return nil
	}

	return l.Budget(f.Value)
}
