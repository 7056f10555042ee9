package validate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/diag"
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
