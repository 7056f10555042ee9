package simulate

import (
	"fmt"
	"strings"
)

// name gives the scripts file names: of the machine, the state and the key for which a script is, or of the agent. Of
// names that are equal, the later ones get a number.
func name(scripts []*Script) {
	used := map[string]bool{}
	for _, s := range scripts {
		name := fileName(s.Root.Name.Value)
		switch {
		case s.For != nil:
			name = fileName(s.For.Machine.Name()) + "." + stateName(s.For) + "." + keyName(s.For)
		case s.Ending != nil:
			name = fileName(s.Ending.Label) + "." + fileName(s.Ending.Key)
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

	return fileName(row.Key())
}

// fileName writes a text with small letters, digits and hyphens alone, and not too long.
func fileName(text string) string {
	const most = 48
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == most {
			break
		}
	}
	name := strings.TrimSuffix(b.String(), "-")
	if name == "" {
		return "key"
	}

	return name
}
