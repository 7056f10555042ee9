package cells

import "strings"

// Tail returns the last lines, at most so many, of a text that is broken into lines of at most width cells: at spaces, and inside of
// words that are longer than a line.
func Tail(text string, width, lines int) []string {
	if width < 2 || lines < 1 {
		return nil
	}
	// Only what can be on the last lines is broken, so that a long text costs no more than a short one.
	if most := (lines + 1) * width; !Fits(text, most) {
		text = CutLeft(text, most)
		if _, after, ok := strings.Cut(text, " "); ok {
			text = after
		}
	}
	broken := Wrap(text, width, width)

	return broken[max(len(broken)-lines, 0):]
}

// Wrap breaks a text into lines of at most so many cells, the first of another width than the rest: at spaces, and inside of words that
// are longer than a line.
func Wrap(text string, first, rest int) []string {
	var all []string
	line, used, width := "", 0, first
	flush := func() {
		all = append(all, line)
		line, used, width = "", 0, rest
	}
	for word := range strings.FieldsSeq(text) {
		for !Fits(word, width) {
			if line == "" {
				line = Head(word, width)
				word = word[len(line):]
			}
			flush()
		}
		n := Width(word)
		if line != "" && used+1+n > width {
			flush()
		}
		if line != "" {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+n
	}
	if line != "" {
		flush()
	}

	return all
}
