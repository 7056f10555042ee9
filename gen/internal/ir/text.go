package ir

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// What patterns hand on is made of these expressions. They have no place in the source: a pattern says it.
type (
	// Notes are titled texts to which more can be added: those of Base, unless it is nil, and Sections.
	Notes struct {
		source.Span
		Base     Expression
		Sections []Section
	}

	// Report is the text of notes, or of the results of a group, marked up for a model. Empty texts are left out, and what is
	// left has no title if it is alone.
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

	// FinishKey is the key with which the newest run whose result is Of finished. It is compared as the keys of rows are:
	// trimmed, and in any case.
	FinishKey struct {
		source.Span
		Of *Output
	}

	// SaysDone is whether a text begins with done.
	SaysDone struct {
		source.Span
		X Expression
	}
)

// Section is a titled text of notes. Title is a lower-case word or two.
type Section struct {
	Title string
	Text  Expression
}

// Is of the nodes. Nothing is known of notes and of lists: no schema describes them.

func (x *Notes) Is() Type     { return Type{} }
func (x *ListOf) Is() Type    { return Type{Schema: &Schema{Kind: SchemaArray, Items: textSchema}} }
func (x *Report) Is() Type    { return textType() }
func (x *Document) Is() Type  { return textType() }
func (x *Object) Is() Type    { return textType() }
func (x *FinishKey) Is() Type { return textType() }
func (x *SaysDone) Is() Type  { return truth }

// ListKind says how a list is written.
type ListKind uint8

// The kinds of lists.
const (
	ListItems  ListKind = iota + 1 // a JSON array
	ListPlan                       // a JSON array, or an array somewhere in a text, or one step
	ListClaims                     // a JSON array, or a line each
)

// ListRule says that what a step finishes with is a list, which is judged while its model can still be asked again.
type ListRule struct {
	Kind ListKind
	// Key is the key that comes with the list: with any other the value is none. Empty: the value is the list with every key,
	// as it is where no caller reads the key and in a oneshot.
	Key string
	// Max bounds the items.
	Max int `shape:"-"`
}

// KeyTest is a condition: the newest run whose result is Of finished with Key; with Not, it did not.
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

// KeyTestOf returns the test of a key that an expression is; ok is false for any other one.
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

// TurnTest is a condition: the loop whose turns are counted by Turn is in turn N.
type TurnTest struct {
	Turn *Output
	N    int
}

// Expression returns the comparison.
func (t TurnTest) Expression() Expression {
	return &Compare{Op: OpEqual, X: NumberOf(t.Turn), Y: &Literal{Value: int64(t.N)}}
}

// TurnTestOf returns the test of a turn that an expression is; ok is false for any other one.
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

// Variable returns an output of a name that the language gives: that of a result, of an item or of the number of a turn in a
// pattern. The name is a Go identifier.
func Variable(name string) *Output { return &Output{Name: Text{Value: name}} }

// GivenText returns the input of the flow, whole.
func GivenText() *Access {
	return &Access{Root: RootInput, Written: "input", Type: textType()}
}

// ValueOf returns the newest value of an output: the text with which a run or an answer came, or what was passed on.
func ValueOf(o *Output) *Access {
	return &Access{Root: RootStep, Output: o, Written: o.Name.Value, Type: o.Type}
}

// ItemOf returns the item of a turn.
func ItemOf(item *Output) *Access {
	return &Access{Root: RootThis, Output: item, Written: item.Name.Value, Type: textType()}
}

// NumberOf returns the number of a turn.
func NumberOf(turn *Output) *Access {
	return &Access{Root: RootTurn, Output: turn, Written: turn.Name.Value, Type: Type{Schema: &Schema{Kind: SchemaInteger}}}
}

// OutputOf returns the output whose newest value an expression is, whole or as a text in some form; nil for any other one.
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

// Brief returns titled texts, marked up for a model: those of base, unless it is nil, and sections.
func Brief(base Expression, sections ...Section) *Report {
	return &Report{X: &Notes{Base: base, Sections: sections}}
}

// Given returns the datum of an expression.
func Given(x Expression) *Datum { return &Datum{Kind: DatumValue, Value: x} }

// Value returns the expression that the task is given, whole; nil where it is given something else.
func (t *Task) Value() Expression {
	if t.Input == nil || t.Input.Kind != DatumValue {
		return nil
	}

	return t.Input.Value
}

// Sequence returns tasks that are done one after another.
func Sequence(tasks ...*Task) *Pipeline { return &Pipeline{Tasks: tasks} }

// When returns a branch that is taken if a condition holds: nothing is done otherwise.
func When(condition Expression, then ...*Task) *Branch {
	return &Branch{
		Key:      &Formula{Text: Text{Value: Describe(condition)}, Root: condition},
		Branches: []*Arm{{Name: Text{Value: Holds}, Body: Sequence(then...)}},
		Default:  Sequence(),
	}
}

// Describe returns what an expression of a pattern says, in words.
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
