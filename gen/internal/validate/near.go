package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// nearField returns the field or value that was meant by a name that is none: the nearest by edits, else the only one that
// begins like it (prio).
func nearField(name string, candidates []string) (near string, ok bool) {
	if near, ok := diag.Nearest(name, candidates); ok {
		return near, true
	}

	longer := slices.DeleteFunc(slices.Clone(candidates), func(c string) bool {
		return len(name) < minBeginning || !strings.HasPrefix(c, name) && !(strings.HasPrefix(name, c) && len(c) >= minBeginning)
	})
	if len(longer) == 1 {
		return longer[0], true
	}

	return "", false
}

// suggest adds the near one of the candidates to a diagnostic: as a hint, and as a fix where the name is literally under
// the diagnostic and can be replaced without asking: a misspelling that is [diag.Certain], or the beginning of a single name.
func suggest(d *diag.Diagnostic, name, near string, candidates []string) {
	d.WithHint("did you mean %q?", near)
	span, isLiteral := diag.Literally(d.Span, name)
	if isLiteral && (isAbbreviation(name, near) || diag.Certain(name, near, candidates)) {
		d.WithFix(fmt.Sprintf("replace %q with %q", name, near), span, near)
	}
}

// isAbbreviation reports whether near is a name that begins with name, which is long enough to say which one.
func isAbbreviation(name, near string) bool {
	return len(name) >= minBeginning && strings.HasPrefix(near, name)
}

// minBeginning is the least number of letters that say which name is meant.
const minBeginning = 3

// home returns the field of a mapping below which one of this name belongs: the only one that knows such a field. It is ""
// if there is none.
func home(schema node, legal []string, name string) string {
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

// isMisspelled reports whether a field that the mapping lacks was meant by name.
func isMisspelled(v verdict, legal []string, name string) bool {
	lacking := slices.DeleteFunc(slices.Clone(legal), func(n string) bool { return v.at.value.Field(n) != nil })
	_, near := nearField(name, lacking)

	return near
}

// homeless reports the first field that is beside its owner, or without it. What is missing because of that is the same
// mistake.
func (r *reporter) homeless(v verdict, f *yamldoc.Field, owner string) {
	r.suggested[path(append(slices.Clone(v.at.tokens), owner), f.Key.Text)] = true
	d := diag.New(diag.UnknownField, f.Key.Span, "field %q%s belongs below %q", f.Key.Text, r.of(v.at), owner)
	if at := v.at.value.Field(owner); at != nil {
		r.add(d.WithHint("indent it by two spaces more than %s", owner).Note(at.Key.Span, "%q is here", owner))
		return
	}
	r.add(d.WithHint("write %s: before it, and indent what belongs there by two spaces", owner))
	r.suggested[path(v.at.tokens, owner)] = true
}
