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

// dropDoubtfulFixes drops fixes that rename an agent or a skill to its folder if another file
// contains its own name: the folder may be the misspelled one.
func dropDoubtfulFixes(p *ir.Program, list *diag.List) {
	list.Retain(func(d *diag.Diagnostic) bool {
		if (d.Check == diag.NameMismatch || d.Check == diag.InvalidName) && len(d.Fixes) > 0 && isNamedElsewhere(p, d.Span) {
			d.Fixes = nil
		}
		return true
	})
}

// isNamedElsewhere reports whether the name at a span occurs in another file.
func isNamedElsewhere(p *ir.Program, at source.Span) bool {
	name := strings.Trim(at.Text(), `"'`)

	return slices.ContainsFunc(p.Files, func(f *source.File) bool { return f != at.File && containsName(f.Bytes, name) })
}

// containsName reports whether text contains name, not as a part of a longer name.
func containsName(text []byte, name string) bool {
	for name != "" {
		i := bytes.Index(text, []byte(name))
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRune(text[:i])
		behind, _ := utf8.DecodeRune(text[i+len(name):])
		if !isNamePart(before) && !isNamePart(behind) {
			return true
		}
		text = text[i+len(name):]
	}

	return false
}

func isNamePart(r rune) bool {
	return r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
