package check

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// withoutDoubtfulNames drops the fixes that give an agent or a skill the name of its folder where its own name is in
// another file too: then the folder may be what is misspelled.
func withoutDoubtfulNames(p *ir.Program, list *diag.List) {
	list.Retain(func(d *diag.Diagnostic) bool {
		if (d.Check == diag.NameMismatch || d.Check == diag.InvalidName) && len(d.Fixes) > 0 && isElsewhere(p, d.Span) {
			d.Fixes = nil
		}
		return true
	})
}

// isElsewhere reports whether the name under at is in another file as well.
func isElsewhere(p *ir.Program, at source.Span) bool {
	name := strings.Trim(at.Text(), `"'`)

	return slices.ContainsFunc(p.Files, func(f *source.File) bool { return f != at.File && holdsName(f.Bytes, name) })
}

// holdsName reports whether text has name in it, and not as a part of a longer one.
func holdsName(text []byte, name string) bool {
	for name != "" {
		i := bytes.Index(text, []byte(name))
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRune(text[:i])
		behind, _ := utf8.DecodeRune(text[i+len(name):])
		if !inName(before) && !inName(behind) {
			return true
		}
		text = text[i+len(name):]
	}

	return false
}

func inName(r rune) bool { return r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
