package redact

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
)

// shortest is the length in bytes from which on a value is a secret: shorter ones occur by chance.
const shortest = 8

// Secret is a value that must not be shown, and the name of the variable that contains it.
type Secret struct {
	Name, Value string
}

// Redactor removes secrets from texts. It is safe for concurrent use; a nil one removes nothing.
type Redactor struct {
	secrets []secret
}

// secret is a value with what it is when it is encoded as a whole.
type secret struct {
	name, value string
	encoded     []string
}

// New returns a Redactor for secrets; values that are too short are ignored. Space around a value is ignored too,
// because programs that send a value usually trim it.
func New(secrets ...Secret) *Redactor {
	r := &Redactor{}
	for _, s := range secrets {
		value := strings.TrimSpace(s.Value)
		known := slices.ContainsFunc(r.secrets, func(have secret) bool { return have.value == value })
		if len(value) < shortest || known {
			continue
		}
		r.secrets = append(r.secrets, secret{s.Name, value, append(inBase64(value), inHex(value)...)})
	}

	return r
}

// Text returns s without secrets.
func (r *Redactor) Text(s string) string {
	return r.Replace(s, func(name string) string { return "[redacted " + name + "]" })
}

// Replace returns s with each secret replaced by what mark returns for its name.
func (r *Redactor) Replace(s string, mark func(name string) string) string {
	if r == nil || len(r.secrets) == 0 {
		return s
	}
	found := r.find(s)
	if len(found) == 0 {
		return s
	}

	var out strings.Builder
	end := 0
	for _, f := range found {
		out.WriteString(s[end:f.start])
		out.WriteString(mark(f.name))
		end = f.end
	}
	out.WriteString(s[end:])

	return out.String()
}

// Result returns a result without secrets. JSON remains JSON if each secret was inside a string; otherwise, for
// example inside a number, the result is text.
func (r *Redactor) Result(result runtime.ToolResult) runtime.ToolResult {
	text := r.Text(result.Text)
	if result.JSON && text != result.Text {
		result.JSON = json.Valid([]byte(text))
	}
	result.Text, result.Problem = text, r.Text(result.Problem)

	return result
}

// place is where secrets are, from start to before end, and the name of the longest.
type place struct {
	start, end int
	name       string
	longest    int
}

// find returns where secrets are, in order and apart from each other.
func (r *Redactor) find(s string) []place {
	var found []place
	for _, secret := range r.secrets {
		found = append(found, secret.written(s)...)
		for _, text := range secret.encoded {
			found = append(found, occurrences(s, text, secret.name)...)
		}
	}
	sort.Slice(found, func(i, j int) bool { return cmp.Or(found[i].start-found[j].start, found[i].end-found[j].end) < 0 })

	return joined(found)
}

// joined joins sorted places that overlap.
func joined(places []place) []place {
	var apart []place
	for _, p := range places {
		last := len(apart) - 1
		if last < 0 || p.start >= apart[last].end {
			apart = append(apart, p)

			continue
		}
		apart[last].end = max(apart[last].end, p.end)
		if p.longest > apart[last].longest {
			apart[last].longest, apart[last].name = p.longest, p.name
		}
	}

	return apart
}

// occurrences are the places of text in s, those that overlap each other joined.
func occurrences(s, text, name string) []place {
	var found []place
	for from := 0; ; {
		at := strings.Index(s[from:], text)
		if at < 0 {
			return found
		}
		start := from + at
		found = addOrExtend(found, place{start, start + len(text), name, len(text)})
		from = start + 1
	}
}

// addOrExtend adds a place that begins behind those that are there, so that a text of one letter does not make as many places as it
// has letters.
func addOrExtend(found []place, p place) []place {
	if last := len(found) - 1; last >= 0 && p.start < found[last].end {
		found[last].end = max(found[last].end, p.end)

		return found
	}

	return append(found, p)
}
