package simulate

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// name gives the scripts file names: of the machine, the state and the key for which a script is, or of the agent. Of
// names that are equal, the later ones get a number.
func name(scripts []*Script) {
	used := map[string]bool{}
	for _, s := range scripts {
		name := fileName(s.Root.Name.Value)
		if s.For != nil {
			name = fileName(s.For.Machine.Name()) + "." + stateName(s.For) + "." + keyName(s.For)
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
	if row.Row != nil && row.Row.FromAny() {
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

// notInName is what file names do not have.
var notInName = regexp.MustCompile(`[^a-z0-9_]+`)

// fileName writes a text with small letters, digits and hyphens alone, and not too long.
func fileName(text string) string {
	const most = 48
	name := strings.TrimPrefix(notInName.ReplaceAllString(strings.ToLower(text), "-"), "-")

	return cmp.Or(strings.TrimSuffix(name[:min(len(name), most)], "-"), "key")
}
