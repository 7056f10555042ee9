package diag

import "strings"

// lines returns what a report says about d that is in one text: the message, the hint, and the notes for which own
// reports true, each on a line of its own. Line breaks and what else could disturb a line are shown as symbols.
func (d *Diagnostic) lines(path func(string) string, own func(Related) bool) string {
	all := []string{defuse(d.Message)}
	if d.Hint != "" {
		all = append(all, defuse(d.Hint))
	}
	for _, note := range d.Related {
		if !own(note) {
			continue
		}
		all = append(all, Line(note.Span, "note", note.Message, path))
	}

	return strings.Join(all, "\n")
}
