package builtin

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Step is a builtin step of workflows: `uses: name`.
type Step struct {
	Name   string
	Params []Param
	// Gives is the type of its output, as far as it is known.
	Gives ir.Type
	// Go is the method that runs it: of the first argument or, with OfRun, of the run. Its parameters
	// are the other arguments in order. It is empty for a step that is lowered to another operation.
	Go string
	// OfRun applies it to a run, with the arguments in order; nil if it does not use the context.
	OfRun func(run *workflow.Run, args []workflow.Value) (workflow.Value, error)
	// Context is its use of the path in the context that one of its arguments names.
	Context ir.ContextUse
	// Apply computes its output from the arguments in order; nil with OfRun, with a tool, and for a
	// step that is lowered.
	Apply func(args []workflow.Value) (workflow.Value, error)
	// Bound returns the largest size of its output, from the sizes of the arguments in order and of
	// the context; nil with a tool and for a step that is lowered.
	Bound func(args []Size, context Size) Size
	// Tool is the built-in tool that it calls; may be empty.
	Tool string
	// Lowers is the operation that it becomes.
	Lowers Lowering
}

// Lowering is the operation of a program that a builtin step becomes.
type Lowering uint8

// The operations that builtin steps become.
const (
	// LowersToCall: [ir.UseBuiltin].
	LowersToCall Lowering = iota
	// LowersToPassOn: its output is its data.
	LowersToPassOn
	// LowersToAsk: [ir.Ask]; the question is its data.
	LowersToAsk
)

// Param is a named argument of a builtin step, with the name that the original gives it.
type Param struct {
	Name string
	// Takes are the kinds of its values; 0 for any. A text with placeholders may become any kind.
	Takes Kind
	// Data reports whether the argument, unless it is named, is the input of the step.
	Data bool
	// Place reports whether it names a path in the context.
	Place bool
	// Required reports whether it has to be named.
	Required bool
	// Unused reports whether it has no effect.
	Unused bool
	// Words are the texts that it accepts; nil for any.
	Words []string
}

// rows are the kinds of a table: a single row may be written without a list.
const rows = List | Object

// Steps are all builtin steps, sorted by name.
var Steps = []Step{
	{
		Name: "aggregate", Go: "Aggregate", Apply: of3(workflow.Value.Aggregate), Gives: typeOf(ir.SchemaNumber),
		Bound: atMost(SizeOfJSON(LongestNumber)),
		Params: []Param{
			{Name: "data", Data: true, Takes: rows},
			{Name: "operation", Takes: Text, Required: true, Words: []string{"sum", "avg", "average", "mean", "count", "min", "max"}},
			{Name: "field", Takes: Text},
		},
	},
	{Name: "ask_user", Lowers: LowersToAsk, Gives: textType, Params: []Param{{Name: "question", Takes: Text, Data: true}}},
	{
		Name: "check_user_confirmation", Go: "Confirmation", Apply: of1(workflow.Value.Confirmation),
		Gives:  ir.Type{Schema: &ir.Schema{Kind: ir.SchemaString, Enum: []string{`"approved"`, `"denied"`}}},
		Bound:  atMost(SizeOfJSON(amount.Number(len(`"approved"`)))),
		Params: []Param{{Name: "user_input", Data: true}},
	},
	{
		Name: "context_get", Go: "GetAt", OfRun: ofRun((*workflow.Run).GetAt), Context: ir.ContextRead,
		Params: []Param{{Name: "path", Takes: Text, Place: true, Required: true}, {Name: "default"}},
		Bound:  func(args []Size, context Size) Size { return context.Or(args[1]) },
	},
	{
		Name: "context_merge", Go: "MergeAt", OfRun: ofRun((*workflow.Run).MergeAt), Context: ir.ContextMerge,
		Gives:  typeOfWritten("merged_keys", &ir.Schema{Kind: ir.SchemaArray, Items: textType.Schema}),
		Params: []Param{{Name: "path", Takes: Text, Place: true, Required: true}, {Name: "value", Takes: Object, Data: true}},
		Bound:  boundOf2(sizeOfWritten),
	},
	{
		Name: "context_set", Go: "SetAt", OfRun: ofRun((*workflow.Run).SetAt), Context: ir.ContextSet,
		Gives:  typeOfWritten("value", &ir.Schema{Kind: ir.SchemaAny}),
		Params: []Param{{Name: "path", Takes: Text, Place: true, Required: true}, {Name: "value", Data: true}},
		Bound:  boundOf2(sizeOfWritten),
	},
	{
		Name: "flatten", Go: "Flatten", Apply: of1(workflow.Value.Flatten), Gives: typeOf(ir.SchemaArray),
		Bound:  boundOf1(func(items Size) Size { return items }),
		Params: []Param{{Name: "items", Data: true, Takes: List}},
	},
	{
		Name: "fs_write_file", Tool: "files_write",
		Params: []Param{{Name: "path", Takes: Text, Required: true}, {Name: "content", Takes: Text, Data: true}},
	},
	{
		Name: "http_get", Tool: "http_get",
		Params: []Param{{Name: "url", Takes: Text, Data: true}, {Name: "timeout", Unused: true}},
	},
	{Name: "passthrough", Lowers: LowersToPassOn, Params: []Param{{Name: "x", Data: true}}},
	{
		Name: "select_fields", Go: "SelectFields", Apply: of3(workflow.Value.SelectFields),
		Params: []Param{{Name: "data", Data: true, Takes: rows}, {Name: "include", Takes: List}, {Name: "rename", Takes: Object}},
		Bound:  boundOf3(sizeOfSelected),
	},
	{
		Name: "stringify", Go: "Stringify", Apply: of1(workflow.Value.Stringify), Gives: textType,
		Params: []Param{{Name: "x", Data: true}},
		Bound:  boundOf1(func(x Size) Size { return SizeOfText(max(x.Text, amount.Number(len("None")))) }),
	},
	{
		Name: "to_csv", Go: "ToCSV", Apply: of2(workflow.Value.ToCSV), Gives: textType,
		Params: []Param{{Name: "rows", Data: true, Takes: rows}, {Name: "headers", Takes: List}},
		Bound:  boundOf2(sizeOfCSV),
	},
}

func of1(do func(a workflow.Value) (workflow.Value, error)) func([]workflow.Value) (workflow.Value, error) {
	return func(args []workflow.Value) (workflow.Value, error) { return do(args[0]) }
}

func of2(do func(a, b workflow.Value) (workflow.Value, error)) func([]workflow.Value) (workflow.Value, error) {
	return func(args []workflow.Value) (workflow.Value, error) { return do(args[0], args[1]) }
}

func of3(do func(a, b, c workflow.Value) (workflow.Value, error)) func([]workflow.Value) (workflow.Value, error) {
	return func(args []workflow.Value) (workflow.Value, error) { return do(args[0], args[1], args[2]) }
}

func ofRun(
	do func(*workflow.Run, workflow.Value, workflow.Value) (workflow.Value, error),
) func(*workflow.Run, []workflow.Value) (workflow.Value, error) {
	return func(run *workflow.Run, args []workflow.Value) (workflow.Value, error) {
		return do(run, args[0], args[1])
	}
}

// atMost returns the bound of a step whose largest output is known.
func atMost(size Size) func([]Size, Size) Size { return func([]Size, Size) Size { return size } }

func boundOf1(of func(a Size) Size) func([]Size, Size) Size {
	return func(args []Size, _ Size) Size { return of(args[0]) }
}

func boundOf2(of func(a, b Size) Size) func([]Size, Size) Size {
	return func(args []Size, _ Size) Size { return of(args[0], args[1]) }
}

func boundOf3(of func(a, b, c Size) Size) func([]Size, Size) Size {
	return func(args []Size, _ Size) Size { return of(args[0], args[1], args[2]) }
}

// StepByName returns a builtin step; ok is false if there is none.
func StepByName(name string) (s Step, ok bool) {
	s = ir.First(Steps, func(s Step) bool { return s.Name == name })

	return s, s.Name != ""
}

// StepNames are the names of all builtin steps, sorted.
func StepNames() []string { return ir.Map(Steps, func(s Step) string { return s.Name }) }

// Data returns the argument for the input of the step; the zero Param if there is none.
func (s Step) Data() Param {
	return ir.First(s.Params, func(p Param) bool { return p.Data })
}

// Place returns the argument that names a path in the context; the zero Param if there is none.
func (s Step) Place() Param {
	return ir.First(s.Params, func(p Param) bool { return p.Place })
}

// Param returns the argument called name; ok is false if there is none.
func (s Step) Param(name string) (p Param, ok bool) {
	p = ir.First(s.Params, func(p Param) bool { return p.Name == name })

	return p, p.Name != ""
}

// IsTyped reports whether a text is of no use as the argument.
func (p Param) IsTyped() bool { return p.Takes != 0 && p.Takes != Text }

// CanBe reports whether a value of the type can be the argument.
func (p Param) CanBe(t ir.Type) bool { return p.Takes == 0 || KindsOf(t.Schema)&p.Takes != 0 }

// ChangesWorld reports whether the tool of a step does more than read.
func (s Step) ChangesWorld() bool {
	return s.Tool != "" && rt.Builtin(s.Tool).Effect != runtime.EffectRead
}

var textType = typeOf(ir.SchemaString)

func typeOf(kind ir.SchemaKind) ir.Type { return ir.Type{Schema: &ir.Schema{Kind: kind}} }

// typeOfWritten returns the type of the output of a step that writes the context: the path, the
// written value under a name, and true.
func typeOfWritten(name string, schema *ir.Schema) ir.Type {
	property := func(name string, schema *ir.Schema) *ir.Property {
		return &ir.Property{Name: ir.Text{Value: name}, Required: true, Schema: schema}
	}

	return ir.Type{Schema: &ir.Schema{Kind: ir.SchemaObject, Properties: []*ir.Property{
		property("path", textType.Schema), property(name, schema), property("success", &ir.Schema{Kind: ir.SchemaBoolean}),
	}}}
}
