package diag

import (
	"encoding/json"
	"io"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// JSON writes the findings for programs: one array of objects, in the order given, `[]` when there are none. Lines are
// 1-based, columns are 1-based runes, ends are exclusive. A place that is not known has no line, column, end_line and
// end_column, and without a file no file; hint is absent when empty. path is as in [TextOptions]. Texts are what was found,
// without what [Text] does for terminals. The only errors are those of w.
func JSON(w io.Writer, findings []*Diagnostic, path func(string) string) error {
	all := make([]jsonFinding, 0, len(findings))
	for _, d := range findings {
		all = append(all, jsonFinding{
			jsonPlace: placeOf(d.Span, path),
			Severity:  d.Severity.String(),
			Name:      d.Check.Name,
			Message:   d.Message,
			Hint:      d.Hint,
			Related:   relatedOf(d, path),
			Fixes:     fixesOf(d, path),
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")

	return enc.Encode(all)
}

type jsonPlace struct {
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	EndColumn int    `json:"end_column,omitempty"`
}

type jsonFinding struct {
	jsonPlace
	Severity string        `json:"severity"`
	Name     string        `json:"name"`
	Message  string        `json:"message"`
	Hint     string        `json:"hint,omitempty"`
	Related  []jsonRelated `json:"related"`
	Fixes    []jsonFix     `json:"fixes"`
}

type jsonRelated struct {
	jsonPlace
	Message string `json:"message"`
}

type jsonFix struct {
	Message string     `json:"message"`
	Edits   []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	jsonPlace
	// NewText replaces the text between the two places.
	NewText string `json:"new_text"`
}

func placeOf(span source.Span, path func(string) string) jsonPlace {
	if !span.IsValid() {
		return jsonPlace{}
	}
	p := jsonPlace{File: printed(span.File, path)}
	if hasText(span) {
		start, end := span.Pos(), span.EndPos()
		p.Line, p.Column, p.EndLine, p.EndColumn = start.Line, start.Column, end.Line, end.Column
	}

	return p
}

func relatedOf(d *Diagnostic, path func(string) string) []jsonRelated {
	notes := make([]jsonRelated, 0, len(d.Related))
	for _, r := range d.Related {
		notes = append(notes, jsonRelated{placeOf(r.Span, path), r.Message})
	}

	return notes
}

func fixesOf(d *Diagnostic, path func(string) string) []jsonFix {
	fixes := make([]jsonFix, 0, len(d.Fixes))
	for _, f := range d.Fixes {
		edits := make([]jsonEdit, 0, len(f.Edits))
		for _, e := range f.Edits {
			edits = append(edits, jsonEdit{placeOf(e.Span, path), e.New})
		}
		fixes = append(fixes, jsonFix{f.Message, edits})
	}

	return fixes
}
