package names

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Identifiers of one workflow. workflow is its name.

// RunWith is the method of App that runs a workflow with an initial context.
func RunWith(workflow string) string { return Run(workflow) + "With" }

// NewRun is the method of App that begins a run of a workflow.
func NewRun(workflow string) string { return "new" + Exported(workflow) }

// RunType is the type of a run of a workflow.
func RunType(workflow string) string { return Unexported(workflow) + "Run" }

// StepsType is the type with the outputs of the steps of a workflow.
func StepsType(workflow string) string { return Unexported(workflow) + "Steps" }

// StepField is the field of a step in that type.
func StepField(step string) string { return Exported(step) }

// Context is the type of a context that has a schema.
func Context(workflow string) string { return Exported(workflow) + "Context" }

// ContextSchema is the constant of that schema.
func ContextSchema(workflow string) string { return Unexported(workflow) + "ContextSchema" }

// WorkflowInput is the type of the input of a workflow that has an input_schema.
func WorkflowInput(workflow string) string { return Exported(workflow) + "Input" }

// WorkflowInputSchema is the constant of that schema.
func WorkflowInputSchema(workflow string) string { return Unexported(workflow) + "InputSchema" }

// Answer is the type of a person's answer; of is workflow/step.
func Answer(of string) string { return answerPrefix(of, Exported) }

// LoopState is the type of the variables of a loop; of is workflow/step.
func LoopState(of string) string {
	workflow, step, _ := strings.Cut(of, "/")

	return Exported(workflow) + Part(step) + "State"
}

// AnswerSpec is the variable that holds an answer's schema as the runtime needs it.
func AnswerSpec(of string) string { return answerPrefix(of, Unexported) }

// AnswerSchema is the constant of the schema of an answer.
func AnswerSchema(of string) string { return answerPrefix(of, Unexported) + "Schema" }

func answerPrefix(of string, workflowWords func(string) string) string {
	workflow, step, _ := strings.Cut(of, "/")

	return workflowWords(workflow) + Part(step) + "Answer"
}

// TypeOf returns the Go type of a value whose schema has a type.
func TypeOf(t ir.Type) string {
	switch t.Owner {
	case ir.OwnerFunc:
		return FuncResult(t.OwnerName)
	case ir.OwnerAnswer:
		return Answer(t.OwnerName)
	case ir.OwnerContext:
		return Context(t.OwnerName)
	case ir.OwnerTool:
		return ToolInput(t.OwnerName)
	case ir.OwnerInput:
		return WorkflowInput(t.OwnerName)
	case ir.OwnerLoop:
		return LoopState(t.OwnerName)
	}

	return Output(t.OwnerName)
}

// Machine is the name on which the identifiers of a machine in a workflow are based. It is the name
// of the workflow followed by the position of the machine. For a machine at the top with the name
// of the workflow, it is only that name.
func Machine(workflow string, at *ir.Pipeline, step string) string {
	if len(at.Name) == 0 && step == workflow {
		return workflow
	}

	return strings.Join(append(append([]string{workflow}, at.Name...), step), " ")
}

// Methods of the type of a run.

// Pipeline is the method that runs the steps of a pipeline.
func Pipeline(p *ir.Pipeline) string { return "run" + joinParts(p.Name) }

// Verb begins the name of a method that does the work of a step, or of a field that it uses.
type Verb string

// The verbs.
const (
	Choose  Verb = "choose"  // a branch
	Repeat  Verb = "repeat"  // a loop
	Each    Verb = "each"    // the items of a list
	Item    Verb = "item"    // the field with the current item of a list
	Fork    Verb = "fork"    // branches side by side
	Import  Verb = "import"  // another workflow
	Execute Verb = "execute" // a machine
	Perform Verb = "perform" // the steps of a machine's states
	Next    Verb = "next"    // the rows of a machine with guards
)

// VerbsOf returns the verbs of the methods and fields for the work of a step, the method that the
// step calls first. It returns none if the step needs no method.
func VerbsOf(do ir.Op) []Verb {
	switch do := do.(type) {
	case *ir.Branch:
		return []Verb{Choose}
	case *ir.Loop:
		switch {
		case do.IsForEach():
			return []Verb{Each, Item}
		case do.Wraps:
			return nil
		}
		return []Verb{Repeat}
	case *ir.Parallel:
		return []Verb{Fork}
	case *ir.Import:
		return []Verb{Import}
	case *ir.Machine:
		return []Verb{Execute, Perform, Next}
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Ask, *ir.Return: // done where the step is
	}

	return nil
}

// Work is the method that does the work of a step of a pipeline.
func Work(v Verb, at *ir.Pipeline, step string) string {
	return string(v) + joinParts(at.Name) + Part(step)
}

// AskAgent is the method that asks an agent of a workflow whose prompt is filled in at run time.
func AskAgent(agent string) string { return "ask" + Part(agent) }

// AllSteps is the method that returns the outputs of all steps.
const AllSteps = "allSteps"

func joinParts(words []string) string {
	var b strings.Builder
	for _, word := range words {
		b.WriteString(Part(word))
	}

	return b.String()
}

// Identifiers of one function.

// ApplyFunc is the method of App that decodes the argument of a function and calls the user's
// method.
func ApplyFunc(name string) string { return "apply" + Exported(name) }

// FuncArgs is the type of a function's argument.
func FuncArgs(name string) string { return Exported(name) + "Args" }

// FuncContext is the type of the fields of the context that a function takes.
func FuncContext(name string) string { return Exported(name) + "Context" }

// FuncSpec is the variable with what is declared about a function.
func FuncSpec(name string) string { return Unexported(name) + "Func" }

// FuncResult is the type of a function's result.
func FuncResult(name string) string { return Exported(name) + "Result" }
