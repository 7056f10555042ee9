package web

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/engine/redact"
)

// variable is how a variable is written; with a dollar more before it, it stands for itself.
var variable = regexp.MustCompile(`\$?\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// variables puts values of the environment into the parts of one request.
type variables struct {
	// allowed are the names that may be written.
	allowed []string
	env     func(name string) (value string, ok bool)
	// kept is the host to which no values go; "" if they do.
	kept string
	// used are the values that were put in, which no answer may show.
	used []redact.Secret
}

// expandText returns text with the values of its variables, each written by escape. A name that is
// not allowed is refused, or with lenient left as it is: in a body it may be anything. Errors:
// *refusal.
func (v *variables) expandText(text string, lenient bool, escape func(string) string) (string, error) {
	var refused error
	expanded := variable.ReplaceAllStringFunc(text, func(written string) string {
		if strings.HasPrefix(written, "$$") {
			return written[1:]
		}
		name := written[2 : len(written)-1]
		if !slices.Contains(v.allowed, name) {
			if !lenient {
				refused = newRefusal("%s is not a variable that a skill with this tool declares in env", written)
			}

			return written
		}
		if v.kept != "" {
			refused = newRefusal("%s is not sent to %s: values go to hosts that http.allow names (not as *), over https",
				written, v.kept)

			return written
		}
		value, ok := v.env(name)
		if !ok {
			refused = newRefusal("the variable %s is not set", name)

			return written
		}
		value = strings.TrimSpace(value) // a line break at its end comes from the file that it was kept in
		v.recordUse(name, value)

		return escape(value)
	})
	if refused != nil {
		return "", refused
	}

	return expanded, nil
}

func (v *variables) recordUse(name, value string) {
	secret := redact.Secret{Name: name, Value: value}
	if !slices.Contains(v.used, secret) {
		v.used = append(v.used, secret)
	}
}
