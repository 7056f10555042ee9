package ir

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// These expressions make up the texts that patterns pass on. They have no position in the source,
// because the pattern defines them.
type (
	// Notes are titled texts to which more can be added: the texts of Base, unless it is nil, and
	// Sections.
	Notes struct {
		source.Span
		Base     Expression
		Sections []Section
	}

	// Report is the text of notes, or of the results of a group, marked up for a model. Empty texts
	// are left out. A single remaining text has no title.
	Report struct {
		source.Span
		X Expression
	}

	// Document is the text of notes, or of the results of a group, as Markdown.
	Document struct {
		source.Span
		X Expression
	}

	// Object is the text of the results of a group as a JSON object.
	Object struct {
		source.Span
		X Expression
	}

	// ListOf is the list that a run wrote.
	ListOf struct {
		source.Span
		Kind ListKind
		Of   *Output
	}

	// FinishKey is the key with which the newest run whose result is Of finished. It is compared
	// like the keys of rows: trimmed, ignoring case.
	FinishKey struct {
		source.Span
		Of *Output
	}

	// SaysDone is whether a text starts with done.
	SaysDone struct {
		source.Span
		X Expression
	}
)

// Section is a titled text of notes. Title is one or two lower-case words.
type Section struct {
	Title string
	Text  Expression
}

// ValueType returns nothing, because no schema describes notes.

func (x *Notes) ValueType() Type     { return Type{} }
func (x *ListOf) ValueType() Type    { return Type{Schema: &Schema{Kind: SchemaArray, Items: textSchema}} }
func (x *Report) ValueType() Type    { return textType() }
func (x *Document) ValueType() Type  { return textType() }
func (x *Object) ValueType() Type    { return textType() }
func (x *FinishKey) ValueType() Type { return textType() }
func (x *SaysDone) ValueType() Type  { return booleanType }

// ListKind is the notation of a list.
type ListKind uint8

// The kinds of lists.
const (
	ListItems  ListKind = iota + 1 // a JSON array
	ListPlan                       // a JSON array, or an array somewhere in a text, or one step
	ListClaims                     // a JSON array, or a line each
)

// ListRule requires that the value of a step is a list. It is validated while its model can still
// be asked again.
type ListRule struct {
	Kind ListKind
	// Key is the key that comes with the list. With any other key the value is None. If it is
	// empty, the value is the list with every key: where no caller reads the key, and in a oneshot.
	Key string
	// Max bounds the number of items.
	Max int `shape:"-"`
}

// KeyTest is a condition: the newest run whose result is Of finished with Key; with Not, it did
// not.
type KeyTest struct {
	Of  *Output
	Key string
	Not bool
}

// Expression returns the comparison.
func (k KeyTest) Expression() Expression {
	op := OpEqual
	if k.Not {
		op = OpNotEqual
	}

	return &Compare{Op: op, X: &FinishKey{Of: k.Of}, Y: &Literal{Value: k.Key}}
}

// KeyTestOf returns the key test in an expression; ok is false for any other expression.
func KeyTestOf(x Expression) (test KeyTest, ok bool) {
	compare, isCompare := x.(*Compare)
	if !isCompare {
		return KeyTest{}, false
	}
	key, isKey := compare.X.(*FinishKey)
	literal, isLiteral := compare.Y.(*Literal)
	if !isKey || !isLiteral {
		return KeyTest{}, false
	}
	text, isText := literal.Value.(string)
	isTest := isText && (compare.Op == OpEqual || compare.Op == OpNotEqual)

	return KeyTest{key.Of, text, compare.Op == OpNotEqual}, isTest
}

// TurnTest is a condition: the loop with the turn number Turn is in turn N.
type TurnTest struct {
	Turn *Output
	N    int
}

// Expression returns the comparison.
func (t TurnTest) Expression() Expression {
	return &Compare{Op: OpEqual, X: TurnAccess(t.Turn), Y: &Literal{Value: int64(t.N)}}
}

// TurnTestOf returns the turn test in an expression; ok is false for any other expression.
func TurnTestOf(x Expression) (test TurnTest, ok bool) {
	compare, isCompare := x.(*Compare)
	if !isCompare || compare.Op != OpEqual {
		return TurnTest{}, false
	}
	turn, isAccess := compare.X.(*Access)
	literal, isLiteral := compare.Y.(*Literal)
	if !isAccess || !isLiteral || turn.Root != RootTurn {
		return TurnTest{}, false
	}
	n, isNumber := literal.Value.(int64)

	return TurnTest{turn.Output, int(n)}, isNumber
}

// TestedTurns returns the turns of each loop of a pattern whose number a condition tests.
func TestedTurns(body *Pipeline) map[*Loop][]int {
	tested := map[*Loop][]int{}
	for _, loop := range OpsOf[*Loop](body.Ops()) {
		for _, branch := range OpsOf[*Branch](loop.Body.Ops()) {
			test, isTest := TurnTestOf(branch.Condition())
			if isTest && test.Turn == loop.Turn {
				tested[loop] = append(tested[loop], test.N)
			}
		}
	}

	return tested
}

// NewOutput returns an output of a pattern: a result, an item or the number of a turn. The name is
// a Go identifier.
func NewOutput(name string) *Output { return &Output{Name: Text{Value: name}} }

// InputAccess returns an access to the input of the flow.
func InputAccess() *Access {
	return &Access{Root: RootInput, Written: "input", Type: textType()}
}

// OutputAccess returns an access to the newest value of an output: the text of a run or an answer,
// or a text that was passed on.
func OutputAccess(o *Output) *Access {
	return &Access{Root: RootStep, Output: o, Written: o.Name.Value, Type: o.Type}
}

// ItemAccess returns an access to the item of a turn.
func ItemAccess(item *Output) *Access {
	return &Access{Root: RootThis, Output: item, Written: item.Name.Value, Type: textType()}
}

// TurnAccess returns an access to the number of a turn.
func TurnAccess(turn *Output) *Access {
	return &Access{Root: RootTurn, Output: turn, Written: turn.Name.Value, Type: Type{Schema: &Schema{Kind: SchemaInteger}}}
}

// OutputOf returns the output whose newest value an expression is, directly or as a text in some
// form; nil for any other expression.
func OutputOf(x Expression) *Output {
	switch x := x.(type) {
	case *Access:
		if x.Root == RootStep && len(x.Path) == 0 {
			return x.Output
		}
	case *Report:
		return OutputOf(x.X)
	case *Document:
		return OutputOf(x.X)
	case *Object:
		return OutputOf(x.X)
	}

	return nil
}

// NewReport returns a report of titled texts for a model: the texts of base, unless it is nil, and
// sections.
func NewReport(base Expression, sections ...Section) *Report {
	return &Report{X: &Notes{Base: base, Sections: sections}}
}

// ExpressionDatum returns a datum with the value of an expression.
func ExpressionDatum(x Expression) *Datum { return &Datum{Kind: DatumValue, Value: x} }

// InputExpression returns the expression that is the input of the task; nil if the input is
// something else.
func (t *Task) InputExpression() Expression {
	if t.Input == nil || t.Input.Kind != DatumValue {
		return nil
	}

	return t.Input.Value
}

// NewPipeline returns a pipeline of tasks.
func NewPipeline(tasks ...*Task) *Pipeline { return &Pipeline{Tasks: tasks} }

// NewCondition returns a branch that runs tasks if a condition holds, and otherwise nothing.
func NewCondition(condition Expression, then ...*Task) *Branch {
	return &Branch{
		Key:      &Formula{Text: Text{Value: Describe(condition)}, Root: condition},
		Branches: []*Arm{{Name: Text{Value: TrueKey}, Body: NewPipeline(then...)}},
		Default:  NewPipeline(),
	}
}

// Describe returns a short text for an expression of a pattern.
func Describe(x Expression) string {
	switch x := x.(type) {
	case nil:
		return ""
	case *Access:
		return x.Written
	case *Notes:
		return "notes " + describeSections(x)
	case *Report:
		if notes, isNotes := x.X.(*Notes); isNotes {
			return describeSections(notes)
		}
		return Describe(x.X) + ".report"
	case *Document:
		return Describe(x.X) + ".document"
	case *Object:
		return Describe(x.X) + ".object"
	case *ListOf:
		return [...]string{"", "the items", "the plan", "the claims"}[x.Kind] + " in " + x.Of.Name.Value
	case *SaysDone:
		return Describe(x.X) + " says done"
	}
	if test, ok := KeyTestOf(x); ok && test.Not {
		return "key of " + test.Of.Name.Value + " is not " + test.Key
	} else if ok {
		return "key of " + test.Of.Name.Value + " is " + test.Key
	}
	if test, ok := TurnTestOf(x); ok {
		return test.Turn.Name.Value + " is " + strconv.Itoa(test.N)
	}

	return x.At().Text()
}

func describeSections(notes *Notes) string {
	var parts []string
	if notes.Base != nil {
		parts = append(parts, Describe(notes.Base))
	}
	for _, s := range notes.Sections {
		parts = append(parts, s.Title+": "+Describe(s.Text))
	}

	return "{" + strings.Join(parts, ", ") + "}"
}
