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

// The defaults of limits, from the description of the language.
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
	// older is true if the file uses the older form of the pattern, without one of its steps.
	older bool
}

func (d *document) hasFile(file string) bool { return slices.Contains(d.folder.files, file) }

func (d *document) filePath(file string) string { return path.Join(AgentsFolder, d.folder.name, file) }

// readAgents reads every AGENT.md and registers the agents by name, before any of them is lowered.
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
		l.AddName(d.agent.Name.Value, d.agent) // a name other than the folder's has been reported
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

// Lower sets the node of every agent.
func (l *loader) Lower() {
	for _, d := range l.documents {
		if d.head == nil {
			continue
		}
		switch d.pattern {
		case "fsm":
			d.agent.Node = l.lowerMachine(d)
		case "react":
			l.checkPrompt(d.agent)
			d.agent.Call = l.lowerCall(d.head, ir.ReactRole)
			react := l.lowerReact(d.head)
			d.agent.Node = react
			react.Gate = l.lowerGate(d, react)
		case "oneshot":
			l.checkPrompt(d.agent)
			d.agent.Call = l.lowerCall(d.head, ir.OneshotRole)
			d.agent.Node = l.lowerOneshot(d.head)
		default:
			lower, known := patterns[d.pattern]
			if !known {
				continue
			}
			d.agent.Node = l.lowerFlow(d, lower)
		}
		d.agent.Budget = l.lowerBudget(d)
	}
	l.renameOlderKeys()
}

// lowerReact lowers a react loop; head may be nil.
func (l *loader) lowerReact(head *yamldoc.Node) *ir.React {
	return &ir.React{
		MaxIter: l.ReadLimit(head.Value("max_iter"), defaultMaxIter),
		Repair:  l.ReadLimit(head.Value("repair"), defaultRepair),
		Stuck:   l.ReadLimit(head.Value("stuck"), defaultStuck),
		Keys:    l.lowerKeys(head.Value("keys")),
		Uses:    l.lowerUses(head.Value("call").Value("uses")),
		Output:  l.lowerSchema(head.Value("output")),
	}
}

// lowerOneshot lowers a oneshot; head may be nil.
func (l *loader) lowerOneshot(head *yamldoc.Node) *ir.Oneshot {
	return &ir.Oneshot{Repair: l.ReadLimit(head.Value("repair"), defaultRepair), Output: l.lowerSchema(head.Value("output"))}
}

// lowerKeys lowers the keys that an agent may finish with.
func (l *loader) lowerKeys(n *yamldoc.Node) []ir.Text {
	keys := frontend.Texts(n)
	for _, key := range keys {
		if key.Value == ir.CatchAll {
			l.List.Add(diag.New(diag.BadValue, key.Span, "%q is not a key: in rows it means every other key", key.Value))
		}
	}

	return keys
}

// lowerUses lowers the skills of an agent, each once.
func (l *loader) lowerUses(n *yamldoc.Node) []ir.SkillRef {
	return ir.Map(l.dropRepeated("skill", frontend.Texts(n)), func(use ir.Text) ir.SkillRef { return ir.SkillRef{Text: use, Skill: l.skills[use.Value]} })
}

// dropRepeated drops names that are listed a second time, and reports them.
func (l *loader) dropRepeated(what string, names []ir.Text) []ir.Text {
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

// lowerSchema lowers the schema of a value, or returns nil. The document's schema checks that it is
// a mapping.
func (l *loader) lowerSchema(n *yamldoc.Node) *ir.Schema {
	if n == nil || n.Kind != yamldoc.Map {
		return nil
	}
	schema, findings := schemadoc.Lower(n)
	l.List.Add(findings...)

	return schema
}

// lowerBudget lowers the budget of an agent. An externally driven machine spends nothing.
func (l *loader) lowerBudget(d *document) *ir.Budget {
	f := d.head.Field("budget")
	if f == nil {
		return nil
	}
	if d.agent.IsGoDriven() {
		l.List.Add(diag.New(diag.UnusedField, f.Key.Span,
			"field %q is not used: a machine that others drive spends nothing", f.Key.Text).Warn())

		return nil
	}

	return l.ReadBudget(f.Value)
}
