package frontend

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

var (
	validName   = regexp.MustCompile(`^_?[a-z0-9][a-z0-9-]*$`)
	notNameRune = regexp.MustCompile(`[^a-z0-9]+`)
)

// ValidName reports whether an agent or a skill can have the name.
func ValidName(text string) bool { return validName.MatchString(text) }

// CheckName reports a name that is not one, or that differs from its folder's. what is "agent" or "skill". Of the two
// only one is reported: a name that is replaced by the folder's is right in both ways.
func (p *Project) CheckName(what string, name ir.Text, folder string) {
	if name.Value == "" || !name.Span.IsValid() {
		return // the schema has asked for it
	}

	switch {
	case !validName.MatchString(name.Value):
		d := diag.New(diag.InvalidName, name.Span,
			"%s name %q: a name has lower-case letters, digits and hyphens, and may begin with _", what, name.Value)
		p.List.Add(fixName(d, name, folder))
	case name.Value != folder && validName.MatchString(folder):
		d := diag.New(diag.NameMismatch, name.Span, "%s name %q differs from its folder %q", what, name.Value, folder)
		p.List.Add(fixName(d, name, folder))
	case name.Value != folder:
		p.List.Add(diag.New(diag.NameMismatch, name.Span, "%s name %q differs from its folder %q", what, name.Value, folder).
			WithHint("rename the folder to %q", name.Value))
	}
}

// fixName offers the folder's name if it is one; else the nearest name, which needs the folder renamed by hand.
func fixName(d *diag.Diagnostic, name ir.Text, folder string) *diag.Diagnostic {
	if validName.MatchString(folder) {
		if d.WithHint("the folder is called %q", folder); folder != "null" { // which is not text without quotes
			d.WithFix(fmt.Sprintf("replace %q with %q", name.Value, folder), name.Span, folder)
		}
		return d
	}
	if near := NearestName(name.Value); near != "" {
		d.WithHint("rename it and its folder to %q", near)
	}

	return d
}

// NearestName makes a name of any text; "" if the text has letters that a name cannot have, or nothing to make it of.
func NearestName(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }) {
		return ""
	}

	return strings.Trim(notNameRune.ReplaceAllString(strings.ToLower(text), "-"), "-")
}
