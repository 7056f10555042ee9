package rt

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// openBlock begins the block of a text, up to the attributes of its tag, and returns the tag: the
// given one, or, if the text could close that, the given one with a mark behind it that the text
// does not have.
func openBlock(out *strings.Builder, tag, text string) string {
	if taken := tagSuffixes(tag, text); taken != nil {
		n := 1
		for taken[numberedMark(n)] {
			n++
		}
		tag += numberedMark(n)
	}
	startParagraph(out)
	out.WriteByte('<')
	out.WriteString(tag)

	return tag
}

// numberedMark is what distinguishes the nth tag of a name from the others: a few underscores, then
// a number, so that it stays short whatever a text has.
func numberedMark(n int) string {
	if n <= 3 {
		return strings.Repeat("_", n)
	}

	return "_" + strconv.Itoa(n)
}

// closeBlock ends the tag of a block, and writes the text and the closing tag.
func closeBlock(out *strings.Builder, tag, text string) {
	out.WriteString(">\n")
	out.WriteString(text)
	out.WriteString("\n</")
	out.WriteString(tag)
	out.WriteByte('>')
}

// startParagraph puts an empty line between what is written and what comes.
func startParagraph(out *strings.Builder) {
	if out.Len() > 0 {
		out.WriteString("\n\n")
	}
}

// tagSuffixes returns the underscores and digits behind everything in a text that looks like the
// end of a tag; nil if nothing does. A model does not read as strictly as a parser: case and white
// space do not count.
func tagSuffixes(tag, text string) (marks map[string]bool) {
	for {
		_, rest, found := strings.Cut(text, "</")
		if !found {
			return marks
		}
		text = rest
		if behind, ok := cutFolded(strings.TrimLeft(rest, " \t\r\n"), tag); ok {
			if marks == nil {
				marks = map[string]bool{}
			}
			marks[behind[:len(behind)-len(strings.TrimLeft(behind, "_0123456789"))]] = true
		}
	}
}

// cutFolded cuts a prefix off a text that has it in whatever case. The text's letters may have more
// bytes than the prefix's: k is folded with the sign of the kelvin too.
func cutFolded(text, prefix string) (rest string, ok bool) {
	end := 0
	for range prefix {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}

	return text[end:], strings.EqualFold(text[:end], prefix)
}
