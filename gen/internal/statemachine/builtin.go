package statemachine

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// excluded are builtins of the original that this language leaves out, with what to use instead.
var excluded = map[string]string{
	"extract_from_text":      "declare an agent with an output_schema",
	"web_search":             "write a function, or use an AGENT.md agent with a tool: uses: agent:NAME",
	"code_interpreter":       "write a function: uses: pkg.mod:func",
	"run_pipeline_in_memory": "import the workflow: uses: imports.NAME",
	"render_jinja_template":  "write the text as the input of a step, with {{ placeholders }}",
}

// undefinedBuiltin is the diagnostic for a name below that of the builtins that is none.
func undefinedBuiltin(ref reference, name string) *diag.Diagnostic {
	if instead := excluded[name]; instead != "" {
		return diag.New(diag.UnsupportedStep, ref.Span, "builtin %q is not supported", name).WithHint("%s", instead)
	}
	word := name[strings.LastIndexAny(name, ".:")+1:]
	near, isNear := word, slices.Contains(builtin.StepNames(), word)
	if !isNear {
		near, isNear = diag.Nearest(word, builtin.StepNames())
	}
	d := diag.New(diag.UndefinedTool, ref.Span, "builtin %q does not exist", name).Suggest(ref.Value, []string{builtinsPrefix + near})
	if !isNear { // the original has many more
		d = diag.New(diag.UnsupportedStep, ref.Span, "builtin %q is not supported", name).WithHint("write a function: uses: pkg.mod:func")
	}

	return d.Note(source.Span{}, "the builtins are %s", listed(builtin.StepNames()))
}

// useBuiltin lowers a step that uses a builtin.
func (s *step) useBuiltin(ref reference, b builtin.Step) {
	args := s.arguments(ref, b)
	s.task.Type = b.Gives
	switch b.Name {
	case builtin.PassThrough:
		s.passArgument(args)
	case builtin.AskUser:
		s.askArgument(args)
	default:
		s.callBuiltin(ref, b, args)
	}
}

// callBuiltin lowers a builtin that is called.
func (s *step) callBuiltin(ref reference, b builtin.Step, args []*yamldoc.Field) {
	do := &ir.UseBuiltin{Builtin: b.Name, At: ref.Span}
	s.task.Do = do
	switch b.Name {
	case builtin.ContextSet, builtin.ContextMerge, builtin.ContextGet:
		s.contextPath(do, frontend.Text(argument(args, "path")))
		do.Value = s.data.Schema
		if value := argument(args, "value"); value != nil {
			do.Value = typeInside(value).Schema
		}
	}
	s.later = append(s.later, func() {
		for _, f := range args {
			if value := s.lowerArgument(b, f, s.scope(s.at)); value != nil {
				do.Args = append(do.Args, ir.DatumField{Name: frontend.Key(f), Value: value})
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
	do := &ir.Ask{}
	s.task.Do = do
	s.answers = append(s.answers, textType)
	if question := argument(args, "question"); question != nil {
		s.later = append(s.later, func() { do.Message = s.template(frontend.Text(question), s.scope(s.at)) })
	}
}

func argument(args []*yamldoc.Field, name string) *yamldoc.Node {
	return (&yamldoc.Node{Fields: args}).Value(name)
}
