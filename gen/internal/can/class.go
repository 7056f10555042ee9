package can

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// The classes of texts from outside. Untrusted means all of them.
const (
	Untrusted = "untrusted"
	input     = "input"
	files     = "files"
	functions = "functions"
	mcp       = "mcp"
	shell     = "shell"
	tools     = "tools"
	web       = "web"
)

// The classes of actions. Any means all of them except send.
const (
	Any      = "any"
	external = "external"
	send     = "send"
	write    = "write"
)

// Sources and Deeds are the names of classes, sorted.
var (
	Sources = []string{files, functions, input, mcp, shell, tools, Untrusted, web}
	Deeds   = []string{Any, external, send, shell, write}
)

// tool is a tool that the model of a conversation can call.
type tool struct {
	// name is the canonical name, offeredName the name that the model sees, and skill the skill
	// that unlocks it.
	name, offeredName, skill string
	// source is the class of its results; "" if they hold no text from outside. deeds are the
	// classes of its effects.
	source  string
	deeds   []string
	confirm bool
	// writesMemory and readsMemory are set if it uses the memory of the run. changesWorld is set if
	// later results of other tools may contain its arguments.
	writesMemory, readsMemory, changesWorld bool

	effect        string
	input, output *ir.Schema
	// args are the arguments of a built-in tool in a script. TEXT marks a text.
	args string
	at   ir.Text
}

// conversationTools returns the tools of a conversation, each once.
func conversationTools(step *ir.Step) []tool {
	var all []tool
	for _, use := range step.Skills() {
		for _, ref := range use.Skill.Tools {
			t := resolveTool(ref)
			if !slices.ContainsFunc(all, func(other tool) bool { return other.name == t.name }) {
				t.skill, t.at = use.Skill.Name.Value, use.Text
				all = append(all, t)
			}
		}
	}

	return all
}

func resolveTool(ref ir.ToolRef) tool {
	if ref.Builtin != "" {
		t := builtinTool(ref.Builtin)
		t.offeredName = ref.Value
		return t
	}
	of := ref.Tool
	t := tool{
		name: of.Name.Value, offeredName: of.Name.Value, source: tools, confirm: of.Confirm, changesWorld: of.Effect != ir.Read,
		effect: string(of.Effect), input: of.Input, output: of.Output,
	}
	switch {
	case of.Server != nil:
		t.source = mcp // nothing validates the results of a server
	case isClosed(of.Output):
		t.source = ""
	}
	t.deeds = deedsOf(of.Effect)

	return t
}

// deedsOf returns the classes of a declared effect.
func deedsOf(effect ir.Effect) []string {
	switch effect {
	case ir.Write:
		return []string{write}
	case ir.External:
		return []string{external, send}
	}

	return nil
}

// builtinTool returns a built-in tool from its descriptor.
func builtinTool(name string) tool {
	spec, flow := rt.Builtin(name), rt.BuiltinFlow(name)
	changes := spec.Effect != runtime.EffectRead && !flow.Stores

	return tool{
		name: name, offeredName: name, effect: string(spec.Effect), source: flow.Source, deeds: flow.Deeds,
		writesMemory: flow.Stores, readsMemory: flow.Recalls, changesWorld: changes, args: sampleArguments(spec.Input),
	}
}

// sampleTexts are meaningful arguments; any other argument is just TEXT. The memory always has the
// same key, and files the same path.
var sampleTexts = map[string]string{"command": "echo TEXT", "key": "note", "path": "note", "url": "https://example.org/TEXT"}

// sampleArguments returns the required arguments of a built-in tool in a script.
func sampleArguments(schema string) string {
	var input struct{ Required []string }
	err := json.Unmarshal([]byte(schema), &input)
	args := map[string]string{}
	for _, name := range input.Required {
		args[name] = cmp.Or(sampleTexts[name], "TEXT")
	}
	text, fault := json.Marshal(args)
	if err != nil || fault != nil {
		panic(cmp.Or(err, fault)) // a descriptor of the runtime
	}

	return string(text)
}

// functionTool returns a Go function of a workflow as a tool. A function without a declared effect may
// do anything.
func functionTool(f *ir.Func) tool {
	t := tool{name: f.Name.Value, source: functions, deeds: []string{external, send, write}, changesWorld: true, effect: "unknown", output: f.Output, at: f.Name}
	if f.Effect != "" {
		t.deeds, t.changesWorld, t.effect = deedsOf(f.Effect), f.Effect != ir.Read, string(f.Effect)
	}
	if isClosed(f.Output) {
		t.source = ""
	}

	return t
}

// isClosed reports whether no value that fits a schema can contain a chosen text.
func isClosed(s *ir.Schema) bool { return isClosedIn(s, map[*ir.Schema]bool{}) }

func isClosedIn(s *ir.Schema, known map[*ir.Schema]bool) bool {
	if s == nil || known[s] {
		return s != nil
	}
	if len(s.Enum) > 0 {
		return true
	}
	known[s] = true
	property := func(p *ir.Property) bool { return !isClosedIn(p.Schema, known) }
	switch s.Kind {
	case ir.SchemaBoolean, ir.SchemaInteger, ir.SchemaNumber:
		return true
	case ir.SchemaArray:
		return isClosedIn(s.Items, known)
	case ir.SchemaObject:
		return s.Additional == nil && !slices.ContainsFunc(s.Properties, property)
	case ir.SchemaUnion:
		return !slices.ContainsFunc(s.Variants, property)
	case ir.SchemaRef:
		return isClosedIn(s.Target, known)
	}

	return false
}
