package validate

import (
	"encoding/json"
	"slices"
	"sort"
	"sync"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
	schemas "github.com/agentc-dev/agentc/schema"
)

// Kind is a format of documents.
type Kind uint8

// The formats.
const (
	Agent      Kind = iota + 1 // frontmatter of AGENT.md
	Step                       // frontmatter of a step file
	Resume                     // frontmatter of a step file that is a react loop whatever it says: resume.md of a human
	Skill                      // frontmatter of SKILL.md
	Config                     // agentc.yaml
	TamaConfig                 // tama.toml
	Workflow                   // a workflow file
	Prices                     // prices.yaml
	Lock                       // agentc.lock
	Script                     // the answers that replace models in a run
)

// formatNames are what a format is called: by package schema, as a file, and where messages speak of a document.
var formatNames = [...]struct{ schema, file, document string }{
	Agent:      {"agent", "AGENT.md", "the frontmatter"},
	Step:       {"step", "a step file", "the frontmatter"},
	Resume:     {"step", "a step file", "the frontmatter"},
	Skill:      {"skill", "SKILL.md", "the frontmatter"},
	Config:     {"config", "agentc.yaml", "agentc.yaml"},
	TamaConfig: {"tama", "tama.toml", "tama.toml"},
	Workflow:   {"workflow", "a workflow", "the workflow"},
	Prices:     {"prices", "prices.yaml", "prices.yaml"},
	Lock:       {"lock", "agentc.lock", "agentc.lock"},
	Script:     {"script", "a script", "a script"},
}

// formats are the schemas, each made when it is first needed. They are part of the program, so a fault in one is a bug of ours.
var formats = func() (all [len(formatNames)]func() *schema) {
	for kind := range all {
		all[kind] = sync.OnceValue(func() *schema { return newFormat(formatNames[kind].schema) })
	}

	return all
}()

func newFormat(name string) *schema {
	text, _ := schemas.Text(name)
	format := &schema{}
	if err := json.Unmarshal(text, format); err != nil {
		panic("validate: schema " + name + ": " + err.Error())
	}
	format.link(format.Defs)

	return format
}

// Document checks the document root of file f. A nil root is a file without frontmatter, or an empty one: its required
// fields are missing. Do not call it when the file has a syntax diagnostic, since everything else would be its consequence.
func Document(kind Kind, root *yamldoc.Node, f *source.File) []*diag.Diagnostic {
	format := formats[kind]()
	if root.IsNull() {
		return absent(kind, format, root, f)
	}

	r := &reporter{kind: kind, format: format, root: root, suggested: map[place]bool{}}
	r.pattern, r.patternKnown = r.effectivePattern()
	r.judge(format, nil, &target{value: root, schema: format})
	r.unused(format, root)

	return r.sorted()
}

// absent reports the document that is not there.
func absent(kind Kind, format *schema, root *yamldoc.Node, f *source.File) []*diag.Diagnostic {
	required := format.Required
	if len(required) == 0 {
		return nil
	}
	span := source.Span{File: f}
	if root != nil {
		span = root.Span
	}
	lacks, hint := "the file has no frontmatter", "put the fields between two lines ---"
	switch kind {
	case Workflow:
		lacks, hint = "the file is empty", "begin with steps:"
	case Prices:
		lacks, hint = "the file is empty", "begin with the day for which the prices were looked up, as_of: YYYY-MM-DD"
	case Lock:
		lacks, hint = "nothing is pinned", "run agentc mcp pin"
	}
	d := diag.New(diag.MissingField, span, "%s; %s needs %s", lacks, formatNames[kind].file, quotedList(required))

	return []*diag.Diagnostic{d.WithHint("%s", hint)}
}

// reporter turns the verdicts on one document into diagnostics.
type reporter struct {
	kind   Kind
	format *schema
	root   *yamldoc.Node
	// pattern is what the document does; patternKnown is false if it does not say so in a legal way.
	pattern      string
	patternKnown bool

	found []*diag.Diagnostic
	// missing are the diagnostics of fields that are not there. One that a misspelled field explains is dropped.
	missing   []missing
	suggested map[place]bool
}

// place is where a field of a mapping could be.
type place struct {
	mapping *yamldoc.Node
	name    string
}

type missing struct {
	place
	d *diag.Diagnostic
}

func (r *reporter) add(d *diag.Diagnostic) { r.found = append(r.found, d) }

// sorted returns the diagnostics by place, without the consequences of others.
func (r *reporter) sorted() []*diag.Diagnostic {
	for _, m := range r.missing {
		if !r.suggested[m.place] {
			r.add(m.d)
		}
	}
	sort.SliceStable(r.found, func(i, j int) bool { return r.found[i].Span.Before(r.found[j].Span) })

	return withoutRepeats(r.found)
}

// withoutRepeats drops what was found before about the same text, which aliases and merge keys bring into several places.
// Fields that are missing share the place of the mapping that lacks them.
func withoutRepeats(found []*diag.Diagnostic) []*diag.Diagnostic {
	type fault struct {
		check *diag.Check
		span  source.Span
	}
	seen := map[fault]bool{}

	return slices.DeleteFunc(found, func(d *diag.Diagnostic) bool {
		f := fault{d.Check, d.Span}
		again := seen[f] && d.Check != diag.MissingField && d.Span.Start < d.Span.End
		seen[f] = true

		return again
	})
}

// effectivePattern returns what an agent or a step does.
func (r *reporter) effectivePattern() (pattern string, known bool) {
	field := r.root.Value("pattern")
	text, ok := field.Scalar()
	hasSkills := len(r.root.Value("call").Value("uses").Elements()) > 0 // which make a step a react loop
	switch {
	case r.kind == Resume || r.kind == Step && (field == nil || text == "oneshot") && hasSkills:
		return "react", true
	case ok:
		patterns := r.format.property("pattern")
		return text, patterns != nil && slices.Contains(patterns.Enum, text)
	case r.kind == Step && field == nil:
		return "oneshot", true
	}

	return "", false
}
