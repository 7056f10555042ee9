package explain

import "strings"

// The colours of a terminal.
const (
	bold  = "\x1b[1m"
	cyan  = "\x1b[36m"
	red   = "\x1b[31m"
	plain = "\x1b[0m"
)

// HereMark marks the line of a wrong example that the diagnostic is about.
const HereMark = "<-- here"

// Terminal returns a page as text for a terminal: headings without their signs, examples indented
// by four spaces. With colour, headings, file names and marks are highlighted. Paragraphs are not
// wrapped.
func Terminal(markdown string, colour bool) string {
	paint := func(colours, text string) string {
		if !colour {
			return text
		}
		return colours + text + plain
	}
	var b strings.Builder
	example := false
	for line := range strings.SplitSeq(strings.TrimSpace(markdown), "\n") {
		text, mark, isMarked := strings.Cut(line, "# "+HereMark)
		switch {
		case strings.HasPrefix(line, "```"):
			example = !example
			continue
		case !example && strings.HasPrefix(line, "#"):
			line = paint(bold, strings.TrimLeft(line, "# "))
		case !example || line == "":
		case strings.HasPrefix(line, "-- ") || strings.HasPrefix(line, "$ "):
			line = "    " + paint(cyan, line)
		case isMarked:
			line = "    " + text + paint(red, "# "+HereMark+mark)
		default:
			line = "    " + line
		}
		b.WriteString(line + "\n")
	}

	return b.String()
}
