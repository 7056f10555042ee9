package can

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/rt"
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
	at            ir.Text
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

// builtinTool returns what is known of a built-in tool.
func builtinTool(name string) tool {
	spec := rt.Builtin(name)
	t := tool{name: name, offered: name, effect: string(spec.Effect), changes: spec.Effect != runtime.EffectRead}
	switch name {
	case "bash":
		t.source, t.deeds = shell, []string{external, send, shell, write}
	case "files_read":
		t.source = files
	case "files_write":
		t.deeds = []string{write}
	case "http_get":
		t.source, t.deeds = web, []string{send}
	case "http_post":
		t.source, t.deeds = web, []string{external, send}
	case "mem_get":
		t.recalls = true
	case "mem_append": // under its older name it returns the whole list
		t.remembers, t.recalls, t.changes = true, true, false
	case "mem_set":
		t.remembers, t.changes = true, false
	}

	return t
}

// function is a Go function of a workflow, of which nothing is known but its schemas.
func function(f *ir.Func) tool {
	t := tool{name: f.Name.Value, source: functions, deeds: []string{external, send, write}, changes: true, effect: "unknown", output: f.Output, at: f.Name}
	if closed(f.Output) {
		t.source = ""
	}

	return t
}

// stepTool is the tool that does a builtin step of a workflow; ok is false if none does.
func stepTool(name string) (t tool, ok bool) {
	step, known := builtin.StepByName(name)
	if !known || step.Tool == "" {
		return tool{}, false
	}

	return builtinTool(step.Tool), true
}

// is reports whether a call is a deed of a class.
func (t tool) is(class string) bool {
	if class == Any {
		return slices.ContainsFunc(t.deeds, func(deed string) bool { return deed != send })
	}

	return slices.Contains(t.deeds, class)
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
