package can

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// The classes of texts that come from outside. Untrusted is all of them.
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

// The classes of deeds. Any is each of them but send.
const (
	Any      = "any"
	external = "external"
	send     = "send"
	write    = "write"
)

// Sources and Deeds are the words for classes, sorted.
var (
	Sources = []string{files, functions, input, mcp, shell, tools, Untrusted, web}
	Deeds   = []string{Any, external, send, shell, write}
)

// tool is a tool that the model of a conversation can call.
type tool struct {
	// name is the canonical one, offered the one that the model is shown, skill what unlocks it.
	name, offered, skill string
	// source is the class of its results; "" if they hold no text from outside. deeds are the classes of what a call does.
	source  string
	deeds   []string
	confirm bool
	// remembers and recalls say that it writes, or reads, the memory of the run; changes that later results of other tools may hold
	// what it is given.
	remembers, recalls, changes bool

	effect        string
	input, output *ir.Schema
	// args are those of a built-in tool in a script, with TEXT where a text is.
	args string
	at   ir.Text
}

// toolsOf returns the tools of a conversation, each once.
func toolsOf(step *ir.Step) []tool {
	var all []tool
	for _, use := range step.Skills() {
		for _, ref := range use.Skill.Tools {
			t := toolOf(ref)
			if !slices.ContainsFunc(all, func(other tool) bool { return other.name == t.name }) {
				t.skill, t.at = use.Skill.Name.Value, use.Text
				all = append(all, t)
			}
		}
	}

	return all
}

func toolOf(ref ir.ToolRef) tool {
	if ref.Builtin != "" {
		t := builtinTool(ref.Builtin)
		t.offered = ref.Value
		return t
	}
	of := ref.Tool
	t := tool{
		name: of.Name.Value, offered: of.Name.Value, source: tools, confirm: of.Confirm, changes: of.Effect != ir.Read,
		effect: string(of.Effect), input: of.Input, output: of.Output,
	}
	switch {
	case of.Server != nil:
		t.source = mcp // no one compares what a server answers with its schema
	case closed(of.Output):
		t.source = ""
	}
	switch of.Effect {
	case ir.Write:
		t.deeds = []string{write}
	case ir.External:
		t.deeds = []string{external, send}
	}

	return t
}

// builtinTool returns a built-in tool. All that is known of it is in its descriptor.
func builtinTool(name string) tool {
	spec, flow := rt.Builtin(name), rt.BuiltinFlow(name)
	changes := spec.Effect != runtime.EffectRead && !flow.Stores

	return tool{
		name: name, offered: name, effect: string(spec.Effect), source: flow.Source, deeds: flow.Deeds,
		remembers: flow.Stores, recalls: flow.Recalls, changes: changes, args: sampleArguments(spec.Input),
	}
}

// sampleTexts are arguments that mean something; any other one is TEXT alone. What is in the memory is always under the same key, and
// what is in files under the same path.
var sampleTexts = map[string]string{"command": "echo TEXT", "key": "note", "path": "note", "url": "https://example.org/TEXT"}

// sampleArguments are the arguments of a built-in tool in a script: those that it requires.
func sampleArguments(schema string) string {
	var input struct{ Required []string }
	err := json.Unmarshal([]byte(schema), &input)
	args := map[string]string{}
	for _, name := range input.Required {
		args[name] = cmp.Or(sampleTexts[name], "TEXT")
	}
	text, fault := json.Marshal(args)
	if err != nil || fault != nil {
		panic(cmp.Or(err, fault)) // a descriptor of ours
	}

	return string(text)
}

// function is a Go function of a workflow, of which nothing is known but its schemas.
func function(f *ir.Func) tool {
	t := tool{name: f.Name.Value, source: functions, deeds: []string{external, send, write}, changes: true, effect: "unknown", output: f.Output, at: f.Name}
	if closed(f.Output) {
		t.source = ""
	}

	return t
}

// closed reports whether no value that fits a schema holds a text of another's choice.
func closed(s *ir.Schema) bool { return closedIn(s, map[*ir.Schema]bool{}) }

func closedIn(s *ir.Schema, known map[*ir.Schema]bool) bool {
	if s == nil || known[s] {
		return s != nil
	}
	if len(s.Enum) > 0 {
		return true
	}
	known[s] = true
	property := func(p *ir.Property) bool { return !closedIn(p.Schema, known) }
	switch s.Kind {
	case ir.SchemaBoolean, ir.SchemaInteger, ir.SchemaNumber:
		return true
	case ir.SchemaArray:
		return closedIn(s.Items, known)
	case ir.SchemaObject:
		return s.Additional == nil && !slices.ContainsFunc(s.Properties, property)
	case ir.SchemaUnion:
		return !slices.ContainsFunc(s.Variants, property)
	case ir.SchemaRef:
		return closedIn(s.Target, known)
	}

	return false
}
