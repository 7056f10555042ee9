package preflight

import (
	"slices"
	"strings"
)

// Fixed returns agentc.yaml with the lines that needs lack, each once, and those lines. A line whose field is there already, or that
// names a model, which only the author can choose, is not added.
func Fixed(config string, needs []Need) (text string, added []string) {
	for _, n := range needs {
		field, _, _ := strings.Cut(n.Add, ":")
		if n.Missing == "" || !n.Config || n.Kind == "model" || slices.Contains(added, n.Add) || hasField(config, field) {
			continue
		}
		added = append(added, n.Add)
	}
	slices.Sort(added)
	if len(added) == 0 {
		return config, nil
	}
	if config != "" && !strings.HasSuffix(config, "\n") {
		config += "\n"
	}

	return config + strings.Join(added, "\n") + "\n", added
}

// hasField reports whether a document has a field at its top.
func hasField(config, field string) bool {
	for line := range strings.Lines(config) {
		if strings.HasPrefix(line, field+":") || strings.HasPrefix(line, `"`+field+`":`) {
			return true
		}
	}

	return false
}
