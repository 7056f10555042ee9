package remote

import (
	"encoding/json"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
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
	isLetter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	isDigit := c >= '0' && c <= '9'

	return isLetter || isDigit || c == '_' || c == '-'
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

// System are the instructions of a request, with the schema of the answer if the server is not to enforce it.
func System(r *model.Request, enforced bool) string {
	if r.Schema == "" || enforced {
		return r.System
	}

	return strings.TrimSpace(r.System + "\n\nAnswer with JSON alone that fits this schema: " + r.Schema)
}

// SizeOf is about what a request needs.
func SizeOf(r *model.Request) int {
	size := 1024 + len(r.System) + 2*len(r.Schema)
	for i := range r.Messages {
		m := &r.Messages[i]
		size += len(m.Text) + len(m.Carry) + 160
		for _, c := range m.Calls {
			size += len(c.Args) + len(c.Name) + 128
		}
	}
	for i := range r.Tools {
		size += len(r.Tools[i].Schema) + len(r.Tools[i].Description) + 128
	}

	return size + size/16
}
