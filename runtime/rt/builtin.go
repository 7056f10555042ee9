package rt

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// Builtin returns the specification of a built-in tool by its name, with or without the older prefix tama_; nil if it is
// none. The specifications are shared and must not be changed. An engine that does not run the tool answers
// [runtime.ErrNotAvailable].
func Builtin(name string) *runtime.ToolSpec {
	name = strings.TrimPrefix(name, "tama_")
	for i := range builtins {
		if builtins[i].Name == name {
			return &builtins[i]
		}
	}

	return nil
}

// Builtins returns the canonical names of the built-in tools, sorted.
func Builtins() []string {
	names := make([]string, len(builtins))
	for i := range builtins {
		names[i] = builtins[i].Name
	}

	return names
}

const headersSchema = `{"type":"object","additionalProperties":{"type":"string"},"description":"Request headers."}`

// builtins are the specifications of all built-in tools, sorted by name.
var builtins = []runtime.ToolSpec{
	builtin("bash", runtime.EffectExternal, false, "Runs a shell command and returns what it prints.",
		param{"command", `{"type":"string","description":"The command line."}`, true, true}),
	builtin("files_read", runtime.EffectRead, true, "Returns the text of a file.",
		param{"path", `{"type":"string","description":"The file's path, below the project's files root."}`, true, true}),
	builtin("files_write", runtime.EffectWrite, true, "Writes a file; what it held before is replaced.",
		param{"path", `{"type":"string","description":"The file's path, below the project's files root."}`, true, true},
		param{"content", `{"type":"string","description":"The new text."}`, true, true}),
	builtin("http_get", runtime.EffectRead, true, "Fetches a URL and returns the body.",
		param{"url", `{"type":"string","description":"The URL."}`, true, true},
		param{"headers", headersSchema, false, false}),
	builtin("http_post", runtime.EffectExternal, false, "Posts a body to a URL and returns the answer's body.",
		param{"url", `{"type":"string","description":"The URL."}`, true, true},
		param{"body", `{"type":"string","description":"The body."}`, true, true},
		param{"headers", headersSchema, false, false}),
	builtin("mem_append", runtime.EffectWrite, false, "Appends an item to the list that is stored under a key.",
		param{"key", `{"type":"string"}`, true, true},
		param{"item", `{"type":"string"}`, true, false}),
	builtin("mem_get", runtime.EffectRead, true, "Returns the value that is stored under a key.",
		param{"key", `{"type":"string"}`, true, true}),
	builtin("mem_set", runtime.EffectWrite, true, "Stores a value under a key for the rest of this run.",
		param{"key", `{"type":"string"}`, true, true},
		param{"value", `{"type":"string"}`, true, false}),
}

// param is a parameter of a built-in tool. One that need not be text accepts any JSON value.
type param struct {
	name, schema   string
	required, text bool
}

func builtin(name string, effect runtime.Effect, idempotent bool, description string, params ...param) runtime.ToolSpec {
	return runtime.ToolSpec{
		Name: name, Description: description, Input: inputSchema(params),
		Effect: effect, Idempotent: idempotent, Builtin: true,
		Check: func(args json.RawMessage) error { return checkParams(params, args) },
	}
}

func inputSchema(params []param) string {
	properties, required := "", ""
	for i, p := range params {
		if i > 0 {
			properties += ","
		}
		properties += `"` + p.name + `":` + p.schema
		if !p.required {
			continue
		}
		if required != "" {
			required += ","
		}
		required += `"` + p.name + `"`
	}

	return `{"type":"object","properties":{` + properties + `},"required":[` + required + `],"additionalProperties":false}`
}

// checkParams says what is wrong with the arguments of a built-in tool, every fault at once.
func checkParams(params []param, args json.RawMessage) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(args, &members); err != nil || members == nil {
		return errors.New("found no object")
	}

	var problems []string
	known := 0
	for _, p := range params {
		value, ok := members[p.name]
		if ok {
			known++
		}
		switch {
		case !ok && p.required:
			problems = append(problems, p.name+" is missing")
		case ok && p.text && value[0] != '"':
			problems = append(problems, p.name+": found "+wording.Start(string(value))+", expected text")
		}
	}
	if known < len(members) {
		names := make([]string, len(params))
		for i, p := range params {
			names[i] = p.name
		}
		problems = append(problems, fmt.Sprintf("there are only the parameters %s", strings.Join(names, ", ")))
	}
	if problems == nil {
		return nil
	}

	return errors.New(strings.Join(problems, "; "))
}
