package rt

import (
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// JSON is a JSON value that generated code decodes into Go. A method that finds another type than
// it expects records a problem and returns a zero value, so that decoding continues and several
// mistakes are reported to the model at once. Each value has at most one problem: consequences of a
// mistake are not reported. [Reader.Decode] creates the root.
//
// A JSON must not be used by two goroutines.
type JSON struct {
	document *valueDocument
	name     string // of a member of an object
	// index is the value's place in document.values, after that of the first value behind it and
	// all that is in it, parent that of the list or object around it, -1 for the root.
	index, after, parent int32
	count                int32 // elements or members
	start, end           int32 // bytes of the document's text
	kind                 valueKind
	escaped              bool // a string with a backslash in it
	failed               bool
}

// valueDocument is what the values of one text share.
type valueDocument struct {
	text string
	// values are in the order of the text: a list or an object is right before its children.
	values   []JSON
	problems []runtime.ValueProblem
	// more counts the problems beyond the ones that are kept.
	more int
	// changes are nil if the text is the whole value. continued counts the lists whose earlier items
	// were found. isUncertain reports whether a condition depends on what is not in the text.
	changes     *Changes
	continued   int
	isUncertain bool
}

type valueKind uint8

const (
	valueNull valueKind = iota + 1
	valueBool
	valueNumber
	valueText
	valueList
	valueObject
)

// Reader reads a value of a type, and reports to it everything that is invalid. Generated code has
// one for each type.
type Reader[T any] func(*JSON) T

// Check returns what is wrong with a value as a *[runtime.ValueError]; nil if it is valid.
func (read Reader[T]) Check(raw json.RawMessage) error {
	_, err := read.Decode(raw)

	return err
}

// Decode parses raw as JSON and reads it. The error, a *[runtime.ValueError], has everything that
// is invalid.
//
// The text must be exactly one JSON value (RFC 8259) in UTF-8 of at most 16 MiB, nested at most
// 1,000 deep. An object with the same member twice, and half of a surrogate pair in a string, are
// refused: JSON decoders disagree on their meaning, and neither can be encoded again.
func (read Reader[T]) Decode(raw []byte) (T, error) { return read.DecodeText(string(raw)) }

// DecodeText is [Reader.Decode] for a text, which is not copied.
func (read Reader[T]) DecodeText(text string) (T, error) {
	var zero T
	v, err := parseValue(text)
	if err != nil {
		return zero, err
	}

	out := read(v)
	if problems := v.document.problems; len(problems) > 0 {
		return zero, &runtime.ValueError{Path: problems[0].Path, Problem: problems[0].Problem, Others: problems[1:], More: v.document.more}
	}

	return out, nil
}

// Text returns a string.
func (v *JSON) Text() string {
	if v.kind != valueText {
		v.Want("text")
		return ""
	}
	text := v.document.text[v.start+1 : v.end-1]
	if v.escaped {
		return unescapeJSON(text)
	}

	return text
}

// Bool returns true or false.
func (v *JSON) Bool() bool {
	if v.kind != valueBool {
		v.Want("true or false")
		return false
	}

	return v.Literal() == "true"
}

// IsNull reports whether v is null, and is no problem either way.
func (v *JSON) IsNull() bool { return v.kind == valueNull }

// Raw returns any value byte for byte.
func (v *JSON) Raw() json.RawMessage { return json.RawMessage(v.Literal()) }

// Literal is Raw as a part of the text that was parsed, without a copy. Its first byte identifies
// the type of the value.
func (v *JSON) Literal() string { return v.document.text[v.start:v.end] }

// Items returns the elements of a list by their index.
func (v *JSON) Items() iter.Seq2[int, *JSON] {
	return func(yield func(int, *JSON) bool) {
		if !v.checkKind(valueList, "a list") {
			return
		}
		for i, at := 0, v.index+1; at < v.after; i++ {
			item := &v.document.values[at]
			if !yield(i, item) {
				return
			}
			at = item.after
		}
	}
}

// Members returns the values of an object by their names, in the order of the text. No name occurs
// twice. Behind them are those that the object lacks and that have a default: defaults are names,
// each with a value as JSON, which the compiler has checked.
func (v *JSON) Members(defaults ...string) iter.Seq2[string, *JSON] {
	return func(yield func(string, *JSON) bool) {
		if !v.checkKind(valueObject, "an object") {
			return
		}
		for at := v.index + 1; at < v.after; {
			member := &v.document.values[at]
			if !yield(member.name, member) {
				return
			}
			at = member.after
		}
		for i := 0; i < len(defaults); i += 2 {
			if v.hasMember(defaults[i]) {
				continue
			}
			value, err := parseValue(defaults[i+1])
			if err != nil {
				panic("agentc: a default is not JSON: " + err.Error())
			}
			if !yield(defaults[i], value) {
				return
			}
		}
	}
}

// Len returns how many elements a list or members an object has; 0 for anything else, which is not
// a problem yet.
func (v *JSON) Len() int { return int(v.count) }

// Require records each name that the object lacks. For another type it does nothing, because
// Members reports that.
func (v *JSON) Require(names ...string) {
	if v.kind != valueObject {
		return
	}
	for _, name := range names {
		if !v.hasMember(name) {
			v.document.recordProblem(joinPath(v.path(), name), "is required, but missing")
		}
	}
}

// Tag returns the text of the member that identifies which of several objects v is; "" if it is
// none of the known texts, which is recorded as a problem.
func (v *JSON) Tag(name string, known ...string) string {
	for member, f := range v.Members() {
		if member != name {
			continue
		}
		text := f.Text()
		if slices.Contains(known, text) {
			return text
		}
		quoted := make([]string, len(known))
		for i, one := range known {
			quoted[i] = wording.Quote(one)
		}
		f.Want("one of " + strings.Join(quoted, ", "))

		return ""
	}
	v.Require(name)

	return ""
}

// Want records that v is not what its schema expects, such as "a whole number from 1 to 50".
func (v *JSON) Want(expected string) {
	v.recordProblem("found " + v.describeKind() + ", expected " + expected)
}

// Unknown records that v is a member that its object may not have.
func (v *JSON) Unknown(known ...string) {
	if len(known) == 0 {
		v.recordProblem("is not known here: the object must be empty")
		return
	}
	quoted := make([]string, len(known))
	for i, name := range known {
		quoted[i] = wording.Quote(name)
	}
	v.recordProblem("is not known here: the object may have " + strings.Join(quoted, ", "))
}

func (v *JSON) recordProblem(problem string) {
	if v.failed {
		return
	}
	v.failed = true
	v.document.recordProblem(v.path(), problem)
}

func (d *valueDocument) recordProblem(path, problem string) {
	if len(d.problems) == maxValueProblems {
		d.more++
		return
	}
	d.problems = append(d.problems, runtime.ValueProblem{Path: path, Problem: problem})
}

func (v *JSON) checkKind(kind valueKind, expected string) bool {
	if v.kind != kind {
		v.Want(expected)
	}

	return v.kind == kind
}

func (v *JSON) hasMember(name string) bool {
	for child := range v.children {
		if child.name == name {
			return true
		}
	}

	return v.isUnchanged(name)
}

// children yields what is directly in v.
func (v *JSON) children(yield func(*JSON) bool) {
	for at := v.index + 1; at < v.after; {
		child := &v.document.values[at]
		if !yield(child) {
			return
		}
		at = child.after
	}
}

// path returns where v is, such as filters[2].lang; "" for the root.
func (v *JSON) path() string {
	if v.parent < 0 {
		return ""
	}
	parent := &v.document.values[v.parent]
	if parent.kind == valueObject {
		return joinPath(parent.path(), v.name)
	}

	i := 0
	for sibling := range parent.children {
		if sibling == v {
			break
		}
		i++
	}

	return parent.path() + "[" + strconv.Itoa(i) + "]"
}

// joinPath appends a member's name to a path; a name that is not a plain word is in brackets and
// quotes.
func joinPath(path, name string) string {
	switch {
	case !isPlainName(name):
		return path + "[" + wording.Quote(name) + "]"
	case path == "":
		return name
	}

	return path + "." + name
}

func isPlainName(name string) bool {
	for i, r := range name {
		canBegin := r == '_' || unicode.IsLetter(r)
		canFollow := r == '-' || unicode.IsDigit(r)
		if !canBegin && (i == 0 || !canFollow) {
			return false
		}
	}

	return name != ""
}

// ListOf decodes a list whose elements read decodes.
func ListOf[T any](v *JSON, read func(*JSON) T) []T {
	if before, continues := v.earlierItems().([]T); continues {
		v.document.continued++
		for _, item := range v.Items() {
			before = append(before, read(item))
		}

		return before
	}
	list := make([]T, v.Len())
	for i, item := range v.Items() {
		list[i] = read(item)
	}

	return list
}

// MapOf decodes an object whose members read decodes.
func MapOf[T any](v *JSON, read func(*JSON) T) map[string]T {
	all := make(map[string]T, v.Len())
	for name, member := range v.Members() {
		all[name] = read(member)
	}

	return all
}

// UnlessNull decodes v with read; null is the zero value.
func UnlessNull[T any](v *JSON, read func(*JSON) T) T {
	var out T
	if !v.IsNull() {
		out = read(v)
	}

	return out
}

// PointerOf returns a pointer to what read decodes; nil for null.
func PointerOf[T any](v *JSON, read func(*JSON) T) *T {
	if v.IsNull() {
		return nil
	}
	out := read(v)

	return &out
}

// NullableOf returns what read decodes, or that v is null.
func NullableOf[T any](v *JSON, read func(*JSON) T) *runtime.Nullable[T] {
	return &runtime.Nullable[T]{Null: v.IsNull(), Value: UnlessNull(v, read)}
}
