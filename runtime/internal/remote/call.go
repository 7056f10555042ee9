package remote

import (
	"encoding/json"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
)

// CallName is the name of a called tool as servers accept it: a model may have called what is no name at all, and the whole
// conversation would be refused for it.
func CallName(name string) string {
	if name == "" {
		return "unnamed"
	}
	made := []byte(name[:min(len(name), MaxName)])
	for i, c := range made {
		if !NameByte(c) {
			made[i] = '_'
		}
	}

	return string(made)
}

// MaxName is the most bytes of a tool's name.
const MaxName = 64

// NameByte reports whether names of tools and ids of calls may have a byte.
func NameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// Arguments are the arguments of a call as they are in a conversation. Servers that make the prompt from them fail on what is
// no object: what a model wrote instead goes back to it in one.
func Arguments(args string) string {
	if strings.TrimSpace(args) == "" {
		return "{}"
	}
	if strings.HasPrefix(strings.TrimLeft(args, " \t\r\n"), "{") && json.Valid([]byte(args)) {
		return args
	}

	return string(append(jsontext.Append([]byte(`{"unreadable":`), args), '}'))
}
