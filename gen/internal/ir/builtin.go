package ir

import (
	"slices"
	"strings"
)

// BuiltinTools returns the canonical names of the built-in tools, sorted.
func BuiltinTools() []string {
	return []string{
		"bash", "files_read", "files_write", "http_get", "http_post", "mem_append", "mem_get", "mem_set",
	}
}

// OlderToolPrefix may stand before the name of each built-in tool.
const OlderToolPrefix = "tama_"

// BuiltinTool returns the canonical name of the built-in tool that is called name, with or without the older prefix; ""
// if there is none.
func BuiltinTool(name string) string {
	canonical := strings.TrimPrefix(name, OlderToolPrefix)
	if slices.Contains(BuiltinTools(), canonical) {
		return canonical
	}

	return ""
}
