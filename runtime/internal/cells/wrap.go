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
	broken := wrap(text, width)

	return broken[max(len(broken)-lines, 0):]
}

func wrap(text string, width int) []string {
	var all []string
	line, used := "", 0
	for word := range strings.FieldsSeq(text) {
		for !Fits(word, width) {
			if line != "" {
				all = append(all, line)
				line, used = "", 0
			}
			head := Head(word, width)
			all, word = append(all, head), word[len(head):]
		}
		n := Width(word)
		switch {
		case line == "":
			line, used = word, n
		case used+1+n <= width:
			line, used = line+" "+word, used+1+n
		default:
			all = append(all, line)
			line, used = word, n
		}
	}
	if line != "" {
		all = append(all, line)
	}

	return all
}
