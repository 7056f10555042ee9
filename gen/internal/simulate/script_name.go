package simulate

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// nameScripts assigns file names to the scripts: the machine, the state and the key of a row, the
// flow, the step and the case, or the agent. Duplicates are numbered.
func nameScripts(scripts []*Script) {
	used := map[string]bool{}
	for _, s := range scripts {
		name := fileName(s.Root.Name.Value)
		switch t := s.For.(type) {
		case *Row:
			name = fileName(t.Machine.Name()) + "." + stateName(t) + "." + keyName(t)
		case *Case:
			name = fileName(t.Step.Agent.Name.Value) + "." + fileName(t.Step.Task.Name.Value) + "." + caseName(t)
		}
		s.Name = name
		for i := 2; used[s.Name]; i++ {
			s.Name = fmt.Sprintf("%s-%d", name, i)
		}
		used[s.Name] = true
	}
}

// stateName returns a row's state in a file name.
func stateName(row *Row) string {
	if row.Row != nil && row.Row.IsFromAny() {
		return "any"
	}

	return fileName(row.State.Name.Value)
}

// keyName returns a row's key in a file name.
func keyName(row *Row) string {
	switch {
	case row.Row == nil:
		return "always"
	case row.Row.IsCatchAll():
		return "any"
	}

	return fileName(row.Key().Value)
}

// caseName returns a case in a file name.
func caseName(c *Case) string {
	switch {
	case c.Name == "":
		return string(c.Kind)
	case c.Kind == CaseBranch:
		return fileName(c.Name)
	}

	return fileName(string(c.Kind) + " " + c.Name)
}

// notInFileName matches characters that file names do not have.
var notInFileName = regexp.MustCompile(`[^a-z0-9_]+`)

// fileName converts a text to lower-case letters, digits and hyphens, and shortens it.
func fileName(text string) string {
	const most = 48
	name := strings.TrimPrefix(notInFileName.ReplaceAllString(strings.ToLower(text), "-"), "-")

	return cmp.Or(strings.TrimSuffix(name[:min(len(name), most)], "-"), "key")
}
