package preflight

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// AddMissing returns agentc.yaml with the missing lines of needs, and those lines. It does not add
// what only the author can choose: a model, or another value of a field that exists, unless the
// field is a mapping or a list that can be extended.
func AddMissing(config string, needs []Need) (text string, added []string) {
	for _, n := range needs {
		if n.Missing == "" || !n.Config || n.Kind == "model" || slices.Contains(added, n.Add) {
			continue
		}
		root, _ := parseConfig(config)
		fixed, ok := config, false
		if n.Kind == "host" {
			fixed, ok = insertEntry(config, root.Value("http").Value("allow"), n.Name, "- ")
		} else {
			fixed, ok = insertLine(config, root, n.Add)
		}
		if _, faults := parseConfig(fixed); ok && len(faults) == 0 {
			config, added = fixed, append(added, n.Add)
		}
	}
	slices.Sort(added)

	return config, added
}

func parseConfig(config string) (*yamldoc.Node, []*diag.Diagnostic) {
	return yamldoc.Parse(source.NewFile("agentc.yaml", []byte(config)))
}

// insertLine adds a line, or its value to an existing mapping of that name.
func insertLine(config string, root *yamldoc.Node, line string) (string, bool) {
	field, value, _ := strings.Cut(line, ": ")
	inner, isMapping := strings.CutPrefix(value, "{")
	name, _, _ := strings.Cut(inner, ":")
	switch existing := root.Value(field); {
	case existing == nil && config != "" && !strings.HasSuffix(config, "\n"):
		config += "\n"
	case existing != nil && (!isMapping || existing.Field(name) != nil):
		return config, false
	case existing != nil:
		return insertEntry(config, existing, strings.TrimSuffix(inner, "}"), "")
	}

	return config + line + "\n", true
}

// insertEntry adds an entry to a mapping or a list: at the end in brackets, else on a line before
// the first entry, after a mark.
func insertEntry(config string, to *yamldoc.Node, entry, mark string) (string, bool) {
	if to.IsNull() || to.Kind != yamldoc.Map && to.Kind != yamldoc.Seq {
		return config, false
	}
	from, end := to.Span.Start, to.Span.End-1
	if brackets := config[from:from+1] + config[end:end+1]; brackets == "{}" || brackets == "[]" {
		head := strings.TrimRight(config[:end], " ,\n")
		if len(head) > from+1 {
			head += ", "
		}
		return head + entry + config[end:], true
	}
	line := strings.LastIndex(config[:from], "\n") + 1
	if strings.TrimSpace(config[line:from]) != "" {
		return config, false
	}

	return config[:from] + mark + entry + "\n" + config[line:], true
}
