package explain

import "strings"

// Prose returns the paragraphs of a page, each on one line, without the line with the severity, the
// headings and the examples.
func Prose(markdown string) []string {
	var paragraphs []string
	var words []string
	end := func() {
		if len(words) > 0 {
			paragraphs = append(paragraphs, strings.Join(words, " "))
		}
		words = nil
	}
	example := false
	for line := range strings.SplitSeq(markdown, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			end()
			example = !example
		case example:
		case line == "" || strings.HasPrefix(line, "#"):
			end()
		default:
			words = append(words, strings.Fields(line)...)
		}
	}
	end()
	if len(paragraphs) > 0 {
		paragraphs = paragraphs[1:]
	}

	return paragraphs
}
