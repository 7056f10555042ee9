package validate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
		return len(name) < 3 || !strings.HasPrefix(c, name) && !(strings.HasPrefix(name, c) && len(c) >= 3)
	})
	if len(longer) == 1 {
		return longer[0], true
	}

	return "", false
}

// suggest adds the near one of the candidates to a diagnostic: as a hint, and as a fix where the name is literally under
// the diagnostic and nothing else is as near. A word that a single name begins with is near enough; one that continues where a
// name ends may be anything, so that it is never replaced.
func suggest(d *diag.Diagnostic, name, near string, candidates []string) {
	d.WithHint("did you mean %q?", near)
	beginning := strings.HasPrefix(near, name)
	if span, stands := diag.Literally(d.Span, name); stands && (beginning || !continues(name, near) && diag.Alone(name, near, candidates)) {
		d.WithFix(fmt.Sprintf("replace %q with %q", name, near), span, near)
	}
}

// continues reports whether a name is another one with more behind it, such as tama.depends and tama. One more letter is a typing error.
func continues(name, near string) bool {
	rest, ok := strings.CutPrefix(name, near)

	return ok && (utf8.RuneCountInString(rest) > 1 || strings.ContainsAny(rest, ".-_"))
}

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
	lacking := slices.DeleteFunc(slices.Clone(legal), func(n string) bool { return v.at.value.Get(n) != nil })
	_, near := nearField(name, lacking)

	return near
}

// homeless reports the first field that is beside its owner, or without it. What is missing because of that is the same
// mistake.
func (r *reporter) homeless(v verdict, f *yamldoc.Field, owner string) {
	r.suggested[path(append(slices.Clone(v.at.tokens), owner), f.Key.Text)] = true
	d := diag.New(diag.UnknownField, f.Key.Span, "field %q%s belongs below %q", f.Key.Text, r.of(v.at), owner)
	if at := v.at.value.Get(owner); at != nil {
		r.add(d.WithHint("indent it by two spaces more than %s", owner).Note(at.Key.Span, "%q is here", owner))
		return
	}
	r.add(d.WithHint("write %s: before it, and indent what belongs there by two spaces", owner))
	r.suggested[path(v.at.tokens, owner)] = true
}
