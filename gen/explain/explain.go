package explain

import (
	"embed"
	"path"

	"github.com/agentc-dev/agentc/gen/diag"
)

//go:embed pages/*.md
var pages embed.FS

// Names returns the names that have a page, in the order of the catalogue.
func Names() []string {
	var names []string
	for _, c := range diag.Checks() {
		names = append(names, c.Name)
	}

	return names
}

// Page returns the page of the check called name as Markdown; ok is false if there is no such
// check.
func Page(name string) (markdown string, ok bool) {
	if diag.Lookup(name) == nil {
		return "", false
	}
	content, err := pages.ReadFile(path.Join("pages", name+".md"))

	return string(content), err == nil
}
