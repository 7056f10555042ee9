package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// nearField returns the field or value that an unknown name most likely means: the nearest by
// edits, or the only one that begins like it (prio).
func nearField(name string, candidates []string) (near string, ok bool) {
	near, ok = diag.Nearest(name, candidates)
	if ok {
		return near, true
	}

	longer := slices.DeleteFunc(slices.Clone(candidates), func(c string) bool {
		return !isAbbreviation(name, c) && !(len(name) >= minBeginning && isAbbreviation(c, name))
	})
	if len(longer) == 1 {
		return longer[0], true
	}

	return "", false
}

// suggest adds a suggestion to a diagnostic: a hint, and a fix if the name is literally in the
// source and certain: a misspelling that is [diag.IsCertain], or the beginning of a single name.
func suggest(d *diag.Diagnostic, name, near string, candidates []string) {
	d.WithHint("did you mean %q?", near)
	span, isLiteral := diag.Literally(d.Span, name)
	if isLiteral && (isAbbreviation(name, near) || diag.IsCertain(name, near, candidates)) {
		d.WithFix(fmt.Sprintf("replace %q with %q", name, near), span, near)
	}
}

// isAbbreviation reports whether near begins with name, and name is long enough.
func isAbbreviation(name, near string) bool {
	return len(name) >= minBeginning && strings.HasPrefix(near, name)
}

// minBeginning is the minimum number of letters of an abbreviation.
const minBeginning = 3

// owningField returns the only field of a mapping that has a field with the name, or "".
func owningField(schema node, legal []string, name string) string {
	owner := ""
	for _, field := range legal {
		if schema.property(field).property(name).value == nil {
			continue
		}
		if owner != "" {
			return ""
		}
		owner = field
	}

	return owner
}

// isMisspelled reports whether name is a misspelling of a field that the mapping lacks.
func isMisspelled(v verdict, legal []string, name string) bool {
	lacking := slices.DeleteFunc(slices.Clone(legal), func(n string) bool { return v.at.value.Field(n) != nil })
	_, near := nearField(name, lacking)

	return near
}

// reportHomeless reports the first field that belongs below owner. Fields that are missing because
// of it are the same mistake.
func (r *reporter) reportHomeless(v verdict, f *yamldoc.Field, owner string) {
	r.suggested[pathKey(append(slices.Clone(v.at.tokens), owner), f.Key.Text)] = true
	d := diag.New(diag.UnknownField, f.Key.Span, "field %q%s belongs below %q", f.Key.Text, r.describeOwner(v.at), owner)
	if at := v.at.value.Field(owner); at != nil {
		r.addDiagnostic(d.WithHint("indent it by two spaces more than %s", owner).Note(at.Key.Span, "%q is here", owner))
		return
	}
	r.addDiagnostic(d.WithHint("write %s: before it, and indent what belongs there by two spaces", owner))
	r.suggested[pathKey(v.at.tokens, owner)] = true
}
