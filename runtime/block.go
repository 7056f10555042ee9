package runtime

import "strings"

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
		name := strings.TrimLeft(rest, " \t\r\n")
		if len(name) < len(tag) || !strings.EqualFold(name[:len(tag)], tag) {
			continue
		}
		behind := name[len(tag):]
		longest = max(longest, 1+len(behind)-len(strings.TrimLeft(behind, "_")))
	}
}
