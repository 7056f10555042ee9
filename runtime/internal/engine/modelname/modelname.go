// Package modelname splits the names of models.
package modelname

import (
	"strings"
	"unicode"
)

// Split splits provider:model; ok is false for a text that does not have this form.
func Split(name string) (provider, id string, ok bool) {
	provider, id, _ = strings.Cut(name, ":")
	ok = provider != "" && !strings.ContainsFunc(provider, unicode.IsSpace) && id != "" && strings.TrimSpace(id[:1]) != ""

	return provider, id, ok
}
