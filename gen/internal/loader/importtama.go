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

// ImportTama returns the agentc.yaml that says what a tama.toml says, with its comments. With an error among the findings the text is "".
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
			w.field(field.Key, field.Key.Text, field.Value, "")
			continue
		}
		w.commentsOf(field.Key.Span.Start, "")
		for _, own := range field.Value.Members() {
			name := own.Key.Text
			for root.Field(name) != nil {
				name = "x-project-" + name
			}
			if own.Value.Kind == yamldoc.String && own.Value.Text == "" {
				continue // older scaffolds write an empty entry point, which means none
			}
			w.field(own.Key, name, own.Value, "")
		}
	}
	w.commentsUpTo(len(f.Bytes), "")

	return w.text.String(), findings
}

// tamaTemperatures are the temperatures of roles where a tama.toml sets none: what its projects were written for. Other projects have none.
var tamaTemperatures = map[string]string{"thinker": "1.0", "worker": "0.0", "default": "0.8"}

// setTamaTemperatures adds them to the roles of a tama.toml, each of which becomes a mapping.
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

// yamlWriter writes a tree of TOML as YAML.
type yamlWriter struct {
	text strings.Builder
	// comments are those that are not written yet.
	comments []source.Span
}

func (w *yamlWriter) field(key *yamldoc.Node, name string, value *yamldoc.Node, indent string) {
	w.commentsOf(key.Span.Start, indent)
	if value.Kind != yamldoc.Map {
		w.commentsOf(value.Span.End, indent)
	}
	w.text.WriteString(indent + scalar(name) + ":")
	if value.Kind != yamldoc.Map || len(value.Fields) == 0 {
		w.text.WriteString(" " + flow(value) + "\n")
		return
	}
	w.text.WriteString("\n")
	for _, inner := range value.Fields {
		w.field(inner.Key, inner.Key.Text, inner.Value, indent+"  ")
	}
}

// commentsOf writes the comments before a place, and the one behind it in its line.
func (w *yamlWriter) commentsOf(at int, indent string) {
	if len(w.comments) > 0 {
		line, _, _ := bytes.Cut(w.comments[0].File.Bytes[at:], []byte("\n"))
		w.commentsUpTo(at+len(line), indent)
	}
}

func (w *yamlWriter) commentsUpTo(end int, indent string) {
	for len(w.comments) > 0 && w.comments[0].Start < end {
		w.text.WriteString(indent + strings.TrimRight(w.comments[0].Text(), " \t\r") + "\n")
		w.comments = w.comments[1:]
	}
}

// flow is a value in one line: JSON, which is YAML, with spaces.
func flow(n *yamldoc.Node) string {
	switch n.Kind {
	case yamldoc.Seq:
		return "[" + strings.Join(ir.Map(n.Items, flow), ", ") + "]"
	case yamldoc.Map:
		fields := ir.Map(n.Fields, func(f *yamldoc.Field) string { return scalar(f.Key.Text) + ": " + flow(f.Value) })
		return "{" + strings.Join(fields, ", ") + "}"
	}

	return n.CompactJSON()
}

// bareName is a name that needs no quotes, if it is no value of another kind.
var bareName = regexp.MustCompile(`^[a-z_][a-z_-]*$`)

// scalar is a name: as it is where YAML reads it as a text, else in quotes.
func scalar(name string) string {
	if !bareName.MatchString(name) || slices.Contains([]string{"true", "false", "null"}, name) {
		return words.Quote(name)
	}

	return name
}
