package rt

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// Builtin returns the specification of a built-in tool by its name, with or without the older
// prefix tama_; nil if it is none. The specifications are shared and must not be changed. An engine
// that does not run the tool answers [runtime.ErrNotAvailable].
func Builtin(name string) *runtime.ToolSpec {
	name = strings.TrimPrefix(name, "tama_")
	for i := range builtins {
		if builtins[i].spec.Name == name {
			return &builtins[i].spec
		}
	}

	return nil
}

// BuiltinFlow returns how text gets through a built-in tool, by its canonical name; nil if there is
// no such tool.
func BuiltinFlow(name string) *TextFlow {
	for i := range builtins {
		if builtins[i].spec.Name == name {
			return &builtins[i].flow
		}
	}

	return nil
}

// TextFlow describes how text gets through a built-in tool, and what a call may do to the world
// outside of the run. A proof that no text gets from one tool to another rests on it.
type TextFlow struct {
	// Source is where texts in its results come from: files, shell or web; "" if none comes from
	// outside of the run.
	Source string
	// Deeds are what a call may do: external, send, shell and write, sorted.
	Deeds []string
	// Stores and Recalls report whether a call writes, and reads, the memory of the run.
	Stores, Recalls bool
	// Root, Hosts and Commands report whether a call reaches the folder of files, the hosts, and
	// any command.
	Root, Hosts, Commands bool
	// Variables reports whether the arguments of a call may name variables of the environment, as
	// ${NAME}.
	Variables bool
}

// The settings of agentc.yaml that turn on built-in tools.
const (
	FilesSetting = "files: {root: ./workspace}"
	HostsSetting = "http: {allow: [api.example.com]}"
	ShellSetting = "shell: true"
)

// Setting returns a line of agentc.yaml that turns the tool on. It is empty for a tool that is
// always on.
func (f TextFlow) Setting() string {
	switch {
	case f.Commands:
		return ShellSetting
	case f.Hosts:
		return HostsSetting
	case f.Root:
		return FilesSetting
	}

	return ""
}

// Builtins returns the canonical names of the built-in tools, sorted.
func Builtins() []string {
	names := make([]string, len(builtins))
	for i := range builtins {
		names[i] = builtins[i].spec.Name
	}

	return names
}

const headersSchema = `{"type":"object","additionalProperties":{"type":"string"},"description":"Request headers."}`

// builtinTool is a built-in tool: what models are offered, and what is known of its calls.
type builtinTool struct {
	spec runtime.ToolSpec
	flow TextFlow
}

// builtins are all built-in tools, sorted by name.
var builtins = []builtinTool{
	newBuiltin("bash", runtime.EffectExternal, false, TextFlow{Source: "shell", Deeds: []string{"external", "send", "shell", "write"}, Root: true, Commands: true},
		"Runs a shell command and returns what it prints.",
		param{"command", `{"type":"string","description":"The command line."}`, true, true}),
	newBuiltin("files_read", runtime.EffectRead, true, TextFlow{Source: "files", Root: true},
		"Returns the text of a file.",
		param{"path", `{"type":"string","description":"The file's path, below the project's files root."}`, true, true}),
	newBuiltin("files_write", runtime.EffectWrite, true, TextFlow{Deeds: []string{"write"}, Root: true},
		"Writes a file; what it held before is replaced.",
		param{"path", `{"type":"string","description":"The file's path, below the project's files root."}`, true, true},
		param{"content", `{"type":"string","description":"The new text."}`, true, true}),
	newBuiltin("http_get", runtime.EffectRead, true, TextFlow{Source: "web", Deeds: []string{"send"}, Hosts: true, Variables: true},
		"Fetches a URL and returns the body.",
		param{"url", `{"type":"string","description":"The URL."}`, true, true},
		param{"headers", headersSchema, false, false}),
	newBuiltin("http_post", runtime.EffectExternal, false, TextFlow{Source: "web", Deeds: []string{"external", "send"}, Hosts: true, Variables: true},
		"Posts a body to a URL and returns the answer's body.",
		param{"url", `{"type":"string","description":"The URL."}`, true, true},
		param{"body", `{"type":"string","description":"The body."}`, true, true},
		param{"headers", headersSchema, false, false}),
	// Under its older name mem_append returns the whole list.
	newBuiltin("mem_append", runtime.EffectWrite, false, TextFlow{Stores: true, Recalls: true},
		"Appends an item to the list that is stored under a key.",
		param{"key", `{"type":"string"}`, true, true},
		param{"item", `{"type":"string"}`, true, false}),
	newBuiltin("mem_get", runtime.EffectRead, true, TextFlow{Recalls: true},
		"Returns the value that is stored under a key.",
		param{"key", `{"type":"string"}`, true, true}),
	newBuiltin("mem_set", runtime.EffectWrite, true, TextFlow{Stores: true},
		"Stores a value under a key for the rest of this run.",
		param{"key", `{"type":"string"}`, true, true},
		param{"value", `{"type":"string"}`, true, false}),
}

// param is a parameter of a built-in tool. One that need not be text accepts any JSON value.
type param struct {
	name, schema   string
	required, text bool
}

func newBuiltin(name string, effect runtime.Effect, idempotent bool, flow TextFlow, description string, params ...param) builtinTool {
	return builtinTool{flow: flow, spec: runtime.ToolSpec{
		Name: name, Description: description, Input: inputSchema(params),
		Effect: effect, Idempotent: idempotent, Builtin: true,
		Check: func(args json.RawMessage) error { return checkParams(params, args) },
	}}
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

// checkParams returns an error that lists every fault of the arguments of a built-in tool.
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
