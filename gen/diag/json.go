package diag

import (
	"encoding/json"
	"io"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// JSON writes the diagnostics for programs: one array of objects, in the given order, `[]` if there
// are none. Lines are 1-based, columns are 1-based runes, ends are exclusive. Without a known
// position, line, column, end_line and end_column are absent, and without a file also file; an
// empty hint is absent. path is as in [TextOptions]. Texts are written without the replacements
// that [Text] makes for terminals. Only w causes errors.
func JSON(w io.Writer, findings []*Diagnostic, path func(string) string) error {
	place := func(span source.Span) jsonPlace {
		if !span.IsValid() {
			return jsonPlace{}
		}
		p := jsonPlace{File: displayPath(span.File, path)}
		if hasText(span) {
			start, end := span.Pos(), span.EndPos()
			p.Line, p.Column, p.EndLine, p.EndColumn = start.Line, start.Column, end.Line, end.Column
		}

		return p
	}
	edit := func(e Edit) jsonEdit { return jsonEdit{place(e.Span), e.New} }
	all := makeParts(findings, func(d *Diagnostic) jsonFinding {
		return jsonFinding{
			jsonPlace: place(d.Span),
			Severity:  d.Severity.String(),
			Name:      d.Check.Name,
			Message:   d.Message,
			Hint:      d.Hint,
			Related:   makeParts(d.Related, func(r Related) jsonRelated { return jsonRelated{place(r.Span), r.Message} }),
			Fixes:     makeParts(d.Fixes, func(f Fix) jsonFix { return jsonFix{f.Message, makeParts(f.Edits, edit)} }),
		}
	})
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
	// NewText replaces the text between the two positions.
	NewText string `json:"new_text"`
}
