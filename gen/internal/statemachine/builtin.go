package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tree"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// builtin is a function that the language has itself.
type builtin struct {
	params []param
	// gives is what is known of its output.
	gives ir.Type
}

// param is a named argument of a builtin.
type param struct {
	name string
	// kind is what a value that stands in the source has to be; 0 for anything. A text with placeholders may become anything.
	kind yamldoc.Kind
	// data says that the argument is what the step is given, unless it is named.
	data bool
	// takes are the kinds of values that data can be; nil for any.
	takes []ir.SchemaKind
	// required says that it has to be named.
	required bool
	// unused says that it has no effect.
	unused bool
	// words are the texts that it may be; nil for any.
	words []string
}

// The builtins that are lowered to something else than a call.
const (
	passthrough = "passthrough"
	askUser     = "ask_user"
)

// The builtins that read and write the context.
const (
	contextSet   = "context_set"
	contextMerge = "context_merge"
	contextGet   = "context_get"
)

// What data can be. One row may stand for a list of one.
var (
	objects = []ir.SchemaKind{ir.SchemaObject}
	lists   = []ir.SchemaKind{ir.SchemaArray}
	rows    = []ir.SchemaKind{ir.SchemaArray, ir.SchemaObject}
)

// builtins are all of them. The names of arguments are those of the original.
var builtins = map[string]builtin{
	passthrough: {params: []param{{name: "x", data: true}}},
	"stringify": {params: []param{{name: "x", data: true}}, gives: textType},
	contextSet: {
		params: []param{{name: "path", kind: yamldoc.String, required: true}, {name: "value", data: true}},
		gives:  object(property("path", textType), property("value", unknown), property("success", truthType)),
	},
	contextMerge: {
		params: []param{
			{name: "path", kind: yamldoc.String, required: true},
			{name: "value", kind: yamldoc.Map, data: true, takes: objects},
		},
		gives: object(property("path", textType), property("merged_keys", listOf(textType)), property("success", truthType)),
	},
	contextGet: {params: []param{{name: "path", kind: yamldoc.String, required: true}, {name: "default"}}},
	"to_csv": {
		params: []param{{name: "rows", data: true, takes: rows}, {name: "headers", kind: yamldoc.Seq}},
		gives:  textType,
	},
	"aggregate": {
		params: []param{
			{name: "data", data: true, takes: rows},
			{name: "operation", kind: yamldoc.String, required: true, words: []string{"sum", "avg", "average", "mean", "count"}},
			{name: "field", kind: yamldoc.String},
		},
		gives: kind(ir.SchemaNumber),
	},
	"select_fields": {params: []param{
		{name: "data", data: true, takes: rows}, {name: "include", kind: yamldoc.Seq}, {name: "rename", kind: yamldoc.Map},
	}},
	"flatten": {params: []param{{name: "items", data: true, takes: lists}}, gives: listType},
	"check_user_confirmation": {
		params: []param{{name: "user_input", data: true}},
		gives:  ir.Type{Schema: &ir.Schema{Kind: ir.SchemaString, Enum: []string{`"approved"`, `"denied"`}}},
	},
	askUser:    {params: []param{{name: "question", kind: yamldoc.String, data: true}}, gives: textType},
	"http_get": {params: []param{{name: "url", kind: yamldoc.String, data: true}, {name: "timeout", unused: true}}},
	"fs_write_file": {params: []param{
		{name: "path", kind: yamldoc.String, required: true}, {name: "content", kind: yamldoc.String, data: true},
	}},
}

// excluded are builtins of the original that this language leaves out, with what to use instead.
var excluded = map[string]string{
	"extract_from_text":      "declare an agent with an output_schema",
	"web_search":             "write a function, or use an AGENT.md agent with a tool: uses: agent:NAME",
	"code_interpreter":       "write a function: uses: pkg.mod:func",
	"run_pipeline_in_memory": "import the workflow: uses: imports.NAME",
	"render_jinja_template":  "write the text as the input of a step, with {{ placeholders }}",
}

func builtinNames() []string { return sortedKeys(builtins) }

// undefinedBuiltin is the finding for a name below that of the builtins that is none.
func undefinedBuiltin(ref reference, name string) *diag.Diagnostic {
	if instead := excluded[name]; instead != "" {
		return diag.New(diag.UnsupportedStep, ref.Span, "builtin %q is not supported", name).WithHint("%s", instead)
	}
	full := builtinNames()
	for i, known := range full {
		full[i] = builtinsPrefix + known
	}

	return diag.New(diag.UndefinedTool, ref.Span, "builtin %q does not exist", name).Suggest(ref.Value, full).
		Note(source.Span{}, "the builtins are %s", listed(builtinNames()))
}

// useBuiltin lowers a step that uses a builtin.
func (s *step) useBuiltin(ref reference, name string, b builtin) {
	args := s.arguments(ref, b)
	s.task.Type = b.gives
	switch name {
	case passthrough:
		s.passArgument(args)
	case askUser:
		s.askArgument(args)
	default:
		s.callBuiltin(ref, name, b, args)
	}
}

// callBuiltin lowers a builtin that is called.
func (s *step) callBuiltin(ref reference, name string, b builtin, args []*yamldoc.Field) {
	do := &ir.UseBuiltin{Builtin: name, At: ref.Span}
	s.task.Do = do
	switch name {
	case contextSet, contextMerge, contextGet:
		s.contextPath(do, tree.Text(argument(args, "path")))
		s.builtinWrites(do, argument(args, "value"))
	}
	s.later = append(s.later, func() {
		for _, f := range args {
			if value := s.lowerArgument(b, f, s.scope(s.at)); value != nil {
				do.Args = append(do.Args, ir.DatumField{Name: tree.Key(f), Value: value})
			}
		}
	})
}

// passArgument lowers passthrough, whose argument may be named.
func (s *step) passArgument(args []*yamldoc.Field) {
	if x := argument(args, "x"); x != nil {
		s.data = typeInside(x)
		s.later = append(s.later, func() { s.task.Input = s.datumInside(x, s.scope(s.at)) })
	}
	s.passOn()
}

// askArgument lowers ask_user, which is a question to a person.
func (s *step) askArgument(args []*yamldoc.Field) {
	do := &ir.Hitl{}
	s.task.Do = do
	s.answers = append(s.answers, textType)
	if question := argument(args, "question"); question != nil {
		s.later = append(s.later, func() { do.Message = s.template(tree.Text(question), s.scope(s.at)) })
	}
}

func argument(args []*yamldoc.Field, name string) *yamldoc.Node {
	i := slices.IndexFunc(args, func(f *yamldoc.Field) bool { return f.Key.Text == name })
	if i < 0 {
		return nil
	}

	return args[i].Value
}
