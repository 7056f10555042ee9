package simulate

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// name gives the scripts file names: of the machine, the state and the key for which a script is,
// of the flow, the step and the case, or of the agent. Of names that are equal, the later ones get
// a number.
func name(scripts []*Script) {
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

// stateName is a row's state in a file name.
func stateName(row *Row) string {
	if row.Row != nil && row.Row.IsFromAny() {
		return "any"
	}

	return fileName(row.State.Name.Value)
}

// keyName is a row's key in a file name.
func keyName(row *Row) string {
	switch {
	case row.Row == nil:
		return "always"
	case row.Row.IsCatchAll():
		return "any"
	}

	return fileName(row.Key().Value)
}

// caseName is a case in a file name.
func caseName(c *Case) string {
	switch {
	case c.Name == "":
		return string(c.Kind)
	case c.Kind == CaseBranch:
		return fileName(c.Name)
	}

	return fileName(string(c.Kind) + " " + c.Name)
}

// notInName is what file names do not have.
var notInName = regexp.MustCompile(`[^a-z0-9_]+`)

// fileName writes a text with small letters, digits and hyphens alone, and not too long.
func fileName(text string) string {
	const most = 48
	name := strings.TrimPrefix(notInName.ReplaceAllString(strings.ToLower(text), "-"), "-")

	return cmp.Or(strings.TrimSuffix(name[:min(len(name), most)], "-"), "key")
}
