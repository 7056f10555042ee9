package builtin

import (
	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Size bounds the size of a value. Each number is in bytes.
type Size struct {
	// Text is the size of the text that a template renders, and JSON the size of the value as JSON.
	Text, JSON amount.Number
	// Longest is the size of the longest text in the value.
	Longest amount.Number
}

// The largest sizes of parts of JSON, in bytes.
const (
	// EscapedGrowth is how many bytes one byte of a text can become: a control character.
	EscapedGrowth amount.Number = 6
	// SizeOfNull is the size of null.
	SizeOfNull amount.Number = 4
	// LongestNumber is the size of a number.
	LongestNumber amount.Number = 26
	// smallestMember is the fewest bytes of a member of an object: `"":0`.
	smallestMember amount.Number = 4
)

// caseGrowth is how many bytes one byte of a text can become in another case: an invalid byte
// becomes U+FFFD.
const caseGrowth amount.Number = 3

// QuotedSize returns the size of a text of n bytes as JSON.
func QuotedSize(n amount.Number) amount.Number { return n.Times(EscapedGrowth).Plus(2) }

// SizeOfText returns the size of a text of n bytes, or of null.
func SizeOfText(n amount.Number) Size {
	return Size{Text: n, JSON: max(QuotedSize(n), SizeOfNull), Longest: n}
}

// SizeOfJSON returns the size of a value with n bytes of JSON. No text in it is longer, and a
// template renders no more.
func SizeOfJSON(n amount.Number) Size { return Size{n, n, n} }

// Or returns the size of one of two values.
func (s Size) Or(other Size) Size {
	return Size{max(s.Text, other.Text), max(s.JSON, other.JSON), max(s.Longest, other.Longest)}
}

// Covers reports whether a value is at least as large as another.
func (s Size) Covers(other Size) bool { return s.Or(other) == s }

// Tighten returns the smaller numbers of two bounds of one value.
func (s Size) Tighten(other Size) Size {
	return Size{min(s.Text, other.Text), min(s.JSON, other.JSON), min(s.Longest, other.Longest)}
}

// mostItems returns the most items that a list has: each has a byte, and a comma or the bracket at
// the end.
func (s Size) mostItems() amount.Number { return s.JSON / 2 }

// mostMembers returns the most members that the objects in a value have together: each has a comma
// or a brace, too.
func (s Size) mostMembers() amount.Number { return s.JSON / (smallestMember + 1) }

// sizeOfJoined returns the size of the items of a list with a separator between them, or of another
// value. An item renders as no more bytes than it has as JSON.
func sizeOfJoined(v Size, args []Size) Size {
	return v.Or(SizeOfText(v.JSON.Plus(v.mostItems().Times(args[0].Text))))
}

func sizeInOtherCase(v Size, _ []Size) Size { return SizeOfText(v.Text.Times(caseGrowth)) }

func sizeOfPart(v Size, _ []Size) Size { return SizeOfText(v.Text) }

// sizeOfReplaced returns the size of a text each byte of which is replaced, or of the text itself.
func sizeOfReplaced(v Size, args []Size) Size {
	return SizeOfText(v.Text.Times(max(args[1].Text, 1)))
}

// sizeOfTruncated returns the size of a text that is cut, with the sign for what is left out.
func sizeOfTruncated(v Size, _ []Size) Size {
	return SizeOfText(v.Text.Plus(amount.Number(len(workflow.CutSign))))
}

// sizeOfItem returns the size of an item of a list, at most that of the list, or of null.
func sizeOfItem(v Size, _ []Size) Size { return v.Or(SizeOfText(0)) }

// sizeOfRounded returns the size of a number, or of another value.
func sizeOfRounded(v Size, _ []Size) Size { return v.Or(SizeOfJSON(LongestNumber)) }

func methodInOtherCase(x Size) Size { return SizeOfText(x.Text.Times(caseGrowth)) }

func methodOfPart(x Size) Size { return SizeOfText(x.Text) }

func sizeOfLength(_ Size, _ []Size) Size { return SizeOfJSON(LongestNumber) }

func sizeAsJSONText(v Size, _ []Size) Size { return SizeOfText(v.JSON) }

// sizeOfEither returns the size of a value, of its replacement, or of null if both are empty.
func sizeOfEither(v Size, args []Size) Size { return v.Or(args[0]).Or(SizeOfText(0)) }

// sizeOfSelected returns the size of objects, each with the names in rename.
func sizeOfSelected(data, _, rename Size) Size {
	return SizeOfJSON(data.JSON.Plus(data.mostItems().Plus(1).Times(rename.JSON)))
}

// sizeOfCSV returns the size of a line for the names of the columns and a line for each row.
// Columns are the headers, which may name a field several times, or else all names in the rows. A
// field is no longer than twice its JSON, two quotes and a comma.
func sizeOfCSV(rows, headers Size) Size {
	const aroundField, aroundLine = 3, 2
	lines := rows.mostItems().Plus(2)
	columns := headers.mostItems().Plus(rows.mostMembers())
	names := headers.JSON.Plus(rows.JSON).Times(2)
	fields := rows.JSON.Times(2).Times(headers.mostItems().Plus(1))

	return SizeOfText(names.Plus(fields).Plus(lines.Times(columns.Times(aroundField).Plus(aroundLine))))
}

// sizeOfWritten returns the size of the result of a step that writes a value at a path: both, and
// names. A text that is written may become a number.
func sizeOfWritten(path, value Size) Size {
	const around = 60

	return SizeOfJSON(path.JSON.Plus(value.JSON).Plus(LongestNumber + around))
}
