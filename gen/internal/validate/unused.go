package validate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// unused warns of fields that the format documents and this document does not use.
func (r *reporter) unused(schema node, n *yamldoc.Node) {
	schema = schema.resolved()
	if r.format.byKind {
		r.unusedInside(schema, n)
		return
	}
	if n.Kind != yamldoc.Map {
		return
	}
	var moved run
	for i, f := range n.Fields {
		p := schema.property(f.Key.Text)
		if p.value == nil {
			continue
		}
		if d := r.unusedField(p, f); d != nil {
			r.add(d)
			moved.add(i, d)
			continue
		}
		r.unused(p, f.Value)
	}
	moved.fix(n)
}

// dotted reports a field whose name is the path of one that is not used, such as tama.depends.apt. Without a value it can be removed.
func (r *reporter) dotted(schema node, f *yamldoc.Field) *diag.Diagnostic {
	words := strings.Split(f.Key.Text, ".")
	for i := range words[:len(words)-1] {
		schema = schema.property(words[i])
		if instead := schema.property(words[i+1]).text("x-agentc-unused"); instead != "" {
			d := diag.New(diag.UnusedField, f.Key.Span, "field %q is not used here", f.Key.Text).WithHint("%s", instead)

			return removable(d, f)
		}
	}

	return nil
}

// removable adds the fix that removes a field without a value.
func removable(d *diag.Diagnostic, f *yamldoc.Field) *diag.Diagnostic {
	if line, ok := wholeLines(f); ok && f.Value.Kind == yamldoc.Null {
		d.Fixes = append(d.Fixes, diag.Fix{Message: "remove it", Edits: []diag.Edit{{Span: line}}})
	}

	return d
}

// wholeLines returns the line of a field without a value of more lines; ok is false if something else is on it.
func wholeLines(f *yamldoc.Field) (line source.Span, ok bool) {
	at := f.Key.Span
	content := at.File.Bytes
	start := bytes.LastIndexByte(content[:at.Start], '\n') + 1
	end := bytes.IndexByte(content[at.End:], '\n')
	if end < 0 || len(bytes.TrimSpace(content[start:at.Start])) > 0 {
		return source.Span{}, false
	}
	end += at.End + 1
	rest, _, _ := bytes.Cut(content[at.End:end], []byte("#"))
	value := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(rest), []byte(":")))

	return source.Span{File: at.File, Start: start, End: end}, len(value) == 0 || string(value) == "~" || string(value) == "null"
}

func (r *reporter) unusedField(p node, f *yamldoc.Field) *diag.Diagnostic {
	name := f.Key.Text
	if instead := p.text("x-agentc-unused"); instead != "" {
		d := diag.New(diag.UnusedField, f.Key.Span, "field %q is not used here", name).WithHint("%s", instead)
		if instead == fieldsAtTop {
			return removable(d, f)
		}
		return d
	}
	patterns := p.strings("x-agentc-patterns")
	if patterns == nil || !r.patternKnown {
		return nil
	}
	if !slices.Contains(patterns, r.pattern) {
		return diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by pattern %q", name, r.pattern).
			Note(source.Span{}, "it is used by %s", list(patterns))
	}
	needs, _ := p.value["x-agentc-needs"].(map[string]any)
	if other, _ := needs[r.pattern].(string); other != "" && r.root.Get(other) == nil {
		return diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by pattern %q without %s", name, r.pattern, other)
	}

	return nil
}
