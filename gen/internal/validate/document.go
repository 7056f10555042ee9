package validate

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/foreign"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Kind is a format of documents.
type Kind uint8

// The formats.
const (
	Agent      Kind = iota + 1 // frontmatter of AGENT.md
	Step                       // frontmatter of a step file
	Resume                     // frontmatter of a step file that is always a react loop: resume.md of a human
	Skill                      // frontmatter of SKILL.md
	Config                     // agentc.yaml
	TamaConfig                 // tama.toml
	Workflow                   // a workflow file
	Prices                     // prices.yaml
	Lock                       // agentc.lock
	Script                     // the answers that replace models in a run
)

// formatNames are the names of a format: in package schema, as a file, and as a document in
// messages.
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

// Document checks the document root of file f. A nil root is a file without frontmatter or an empty
// file: its required fields are missing. Do not call it for a file with a syntax diagnostic,
// because all other diagnostics would be consequences.
func Document(kind Kind, root *yamldoc.Node, f *source.File) []*diag.Diagnostic {
	format := formats[kind]()
	if root.IsNull() {
		return reportAbsent(kind, format, root, f)
	}

	r := &reporter{kind: kind, format: format, root: root, suggested: map[string]bool{}}
	r.pattern, r.patternKnown = r.effectivePattern()
	var invalid *jsonschema.ValidationError
	if format.rule.accepts(&format.rule, root) {
		// the usual case
	} else if err := format.compiled().Validate(root.JSON()); errors.As(err, &invalid) {
		r.explain(invalid)
	} else if err != nil {
		panic("validate: " + err.Error()) // a bug in our schema or our tree, never a mistake of the user
	}
	r.reportUnused(format.root, root)
	r.reportCutTexts(root)
	if len(r.found)+len(r.missing) > 0 && slices.Contains([]Kind{Agent, Config, Workflow}, kind) {
		if other := foreign.FormatOf(root); other != nil {
			return []*diag.Diagnostic{foreignDiagnostic(other, kind, root)}
		}
	}

	return r.sortedDiagnostics()
}

// foreignDiagnostic describes a document of another system.
func foreignDiagnostic(other *foreign.Format, kind Kind, root *yamldoc.Node) *diag.Diagnostic {
	advice := other.Advice
	if kind == Agent {
		advice = cmp.Or(other.Here, advice)
	}

	return diag.New(diag.UnknownField, root.Fields[0].Key.Span, "this is %s, which has other fields than %s", other.Name, formatNames[kind].file).
		WithHint("%s", advice)
}

// reportAbsent describes a missing document.
func reportAbsent(kind Kind, format *format, root *yamldoc.Node, f *source.File) []*diag.Diagnostic {
	required := format.root.strings("required")
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
	d := diag.New(diag.MissingField, span, `%s; %s needs "%s"`, lacks, formatNames[kind].file, strings.Join(required, `", "`))

	return []*diag.Diagnostic{d.WithHint("%s", hint)}
}

// reporter turns the verdicts on one document into diagnostics.
type reporter struct {
	kind   Kind
	format *format
	root   *yamldoc.Node
	// pattern is the pattern of the document; patternKnown is false without a legal one.
	pattern      string
	patternKnown bool

	found []*diag.Diagnostic
	// missing are the diagnostics of missing fields. One that a misspelled field explains is
	// dropped.
	missing   []missing
	suggested map[string]bool
}

type missing struct {
	path string
	d    *diag.Diagnostic
}

func (r *reporter) addDiagnostic(d *diag.Diagnostic) { r.found = append(r.found, d) }

// sortedDiagnostics returns the diagnostics by position, without consequences.
func (r *reporter) sortedDiagnostics() []*diag.Diagnostic {
	for _, m := range r.missing {
		if !r.suggested[m.path] {
			r.addDiagnostic(m.d)
		}
	}
	sort.SliceStable(r.found, func(i, j int) bool { return r.found[i].Span.Before(r.found[j].Span) })

	return dropRepeats(r.found)
}

// dropRepeats drops repeated diagnostics at one span, which aliases and merge keys cause. Missing
// fields share the span of their mapping and are kept.
func dropRepeats(found []*diag.Diagnostic) []*diag.Diagnostic {
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

// effectivePattern returns the pattern of an agent or a step. Skills make a step a react loop.
func (r *reporter) effectivePattern() (pattern string, known bool) {
	field := r.root.Value("pattern")
	text, ok := field.Scalar()
	hasSkills := len(r.root.Value("call").Value("uses").Elements()) > 0
	isOneshot := field == nil || text == "oneshot"
	switch {
	case r.kind == Resume || r.kind == Step && isOneshot && hasSkills:
		return "react", true
	case ok:
		return text, slices.Contains(r.format.root.property("pattern").strings("enum"), text)
	case r.kind == Step && field == nil:
		return "oneshot", true
	}

	return "", false
}
