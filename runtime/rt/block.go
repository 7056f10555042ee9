package rt

import (
	"strings"
	"unicode/utf8"
)

// openBlock begins the block of a text, up to the attributes of its tag, and returns the tag: the given one, or, if the
// text could close that, the given one with underscores behind it.
func openBlock(out *strings.Builder, tag, text string) string {
	tag += strings.Repeat("_", closings(tag, text))
	paragraph(out)
	out.WriteByte('<')
	out.WriteString(tag)

	return tag
}

// closeBlock ends the tag of a block, and writes the text and the closing tag.
func closeBlock(out *strings.Builder, tag, text string) {
	out.WriteString(">\n")
	out.WriteString(text)
	out.WriteString("\n</")
	out.WriteString(tag)
	out.WriteByte('>')
}

// paragraph puts an empty line between what is written and what comes.
func paragraph(out *strings.Builder) {
	if out.Len() > 0 {
		out.WriteString("\n\n")
	}
}

// closings is how many underscores a tag needs behind it, so that nothing in the text looks like its end. A model does
// not read as strictly as a parser: case and white space do not count.
func closings(tag, text string) (longest int) {
	for {
		_, rest, found := strings.Cut(text, "</")
		if !found {
			return longest
		}
		text = rest
		if behind, ok := cutFolded(strings.TrimLeft(rest, " \t\r\n"), tag); ok {
			longest = max(longest, 1+len(behind)-len(strings.TrimLeft(behind, "_")))
		}
	}
}

// cutFolded cuts a prefix off a text that has it in whatever case. The text's letters may have more bytes than the
// prefix's: k is folded with the sign of the kelvin too.
func cutFolded(text, prefix string) (rest string, ok bool) {
	end := 0
	for range prefix {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}

	return text[end:], strings.EqualFold(text[:end], prefix)
}
