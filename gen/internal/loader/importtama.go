package loader

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tomldoc"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// ImportTama returns an agentc.yaml with the settings and comments of a tama.toml. The text is ""
// if there is an error among the findings.
func ImportTama(f *source.File) (text string, findings []*diag.Diagnostic) {
	root, findings := tomldoc.Parse(f)
	if root != nil {
		list := &diag.List{}
		list.Add(findings...)
		list.Add(frontend.ValidateAndFix(validate.TamaConfig, root, f)...)
		findings = list.Sorted()
	}
	if slices.ContainsFunc(findings, (*diag.Diagnostic).IsError) {
		return "", findings
	}
	setTamaTemperatures(root.Value("models"))
	w := &yamlWriter{comments: yamldoc.Comments(f, 0, len(f.Bytes), root)}
	for _, field := range root.Members() {
		if field.Key.Text != "project" {
			w.writeField(field.Key, field.Key.Text, field.Value, "")
			continue
		}
		w.writeCommentsAround(field.Key.Span.Start, "")
		for _, own := range field.Value.Members() {
			name := own.Key.Text
			for root.Field(name) != nil {
				name = "x-project-" + name
			}
			if own.Value.Kind == yamldoc.String && own.Value.Text == "" {
				continue // older scaffolds write an empty entry point, which has no effect
			}
			w.writeField(own.Key, name, own.Value, "")
		}
	}
	w.writeCommentsUpTo(len(f.Bytes), "")

	return w.text.String(), findings
}

// tamaTemperatures are the default temperatures of roles in a tama.toml. Its projects rely on them;
// other projects have no defaults.
var tamaTemperatures = map[string]string{"thinker": "1.0", "worker": "0.0", "default": "0.8"}

// setTamaTemperatures adds the default temperatures to the roles of a tama.toml. Each of those
// roles becomes a mapping.
func setTamaTemperatures(models *yamldoc.Node) {
	for _, role := range models.Members() {
		temperature, ok := tamaTemperatures[role.Key.Text]
		value := role.Value
		if !ok || value.IsNull() || value.Value("temperature") != nil {
			continue
		}
		at := value.Span
		at.Start = at.End
		add := func(name string, n *yamldoc.Node) {
			key := &yamldoc.Node{Kind: yamldoc.String, Text: name, Span: at}
			role.Value.Fields = append(role.Value.Fields, &yamldoc.Field{Key: key, Value: n})
		}
		if value.Kind != yamldoc.Map {
			role.Value = &yamldoc.Node{Kind: yamldoc.Map, Span: value.Span}
		}
		switch {
		case value.Kind == yamldoc.Seq && len(value.Items) > 0:
			add("name", value.Items[0])
			add("fallback", &yamldoc.Node{Kind: yamldoc.Seq, Span: value.Span, Items: value.Items[1:]})
		case value.Kind != yamldoc.Map:
			add("name", value)
		}
		add("temperature", &yamldoc.Node{Kind: yamldoc.Float, Text: temperature, Span: at})
	}
}

// yamlWriter writes a TOML tree as YAML.
type yamlWriter struct {
	text strings.Builder
	// comments are the comments that are not written yet.
	comments []source.Span
}

func (w *yamlWriter) writeField(key *yamldoc.Node, name string, value *yamldoc.Node, indent string) {
	w.writeCommentsAround(key.Span.Start, indent)
	if value.Kind != yamldoc.Map {
		w.writeCommentsAround(value.Span.End, indent)
	}
	w.text.WriteString(indent + quoteName(name) + ":")
	if value.Kind != yamldoc.Map || len(value.Fields) == 0 {
		w.text.WriteString(" " + flowYAML(value) + "\n")
		return
	}
	w.text.WriteString("\n")
	for _, inner := range value.Fields {
		w.writeField(inner.Key, inner.Key.Text, inner.Value, indent+"  ")
	}
}

// writeCommentsAround writes the comments before an offset, and the one after it in the same line.
func (w *yamlWriter) writeCommentsAround(at int, indent string) {
	if len(w.comments) > 0 {
		line, _, _ := bytes.Cut(w.comments[0].File.Bytes[at:], []byte("\n"))
		w.writeCommentsUpTo(at+len(line), indent)
	}
}

func (w *yamlWriter) writeCommentsUpTo(end int, indent string) {
	for len(w.comments) > 0 && w.comments[0].Start < end {
		w.text.WriteString(indent + strings.TrimRight(w.comments[0].Text(), " \t\r") + "\n")
		w.comments = w.comments[1:]
	}
}

// flowYAML returns a value on one line: JSON with spaces, which is YAML.
func flowYAML(n *yamldoc.Node) string {
	switch n.Kind {
	case yamldoc.Seq:
		return "[" + strings.Join(ir.Map(n.Items, flowYAML), ", ") + "]"
	case yamldoc.Map:
		fields := ir.Map(n.Fields, func(f *yamldoc.Field) string { return quoteName(f.Key.Text) + ": " + flowYAML(f.Value) })
		return "{" + strings.Join(fields, ", ") + "}"
	}

	return n.CompactJSON()
}

// bareName matches names that need no quotes, except for values of another kind.
var bareName = regexp.MustCompile(`^[a-z_][a-z_-]*$`)

// quoteName returns name, in quotes unless YAML reads it as a text without them.
func quoteName(name string) string {
	if !bareName.MatchString(name) || slices.Contains([]string{"true", "false", "null"}, name) {
		return words.Quote(name)
	}

	return name
}
