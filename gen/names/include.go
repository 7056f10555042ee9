package names

// PartPath returns the import path of the package that a word of `include` brings into a binary. Its type Part stands in the program. ok
// is false for a word that brings none.
func PartPath(word string) (path string, ok bool) {
	switch word {
	case "mcp":
		return "github.com/agentc-dev/agentc/runtime/mcp", true
	}

	return "", false
}
