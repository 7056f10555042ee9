package recording

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/model"
)

// What a comparison shows at most: lines, and of each so many characters.
const (
	maxLines = 40
	maxWidth = 160
)

// section is a part of a request as lines for people. A head without a colon is not shown: it is in the line.
type section struct {
	head  string
	lines []string
}

// compareRequests shows how two requests differ: of each section that does the head, the lines that go with -, and the lines that come with +.
func compareRequests(recorded, asked *request) string {
	if recorded.model == "" || asked.model == "" { // one that is not known is any
		a, b := *recorded, *asked
		a.model, b.model = "", ""
		recorded, asked = &a, &b
	}
	was, now := recorded.sectionsOf(), asked.sectionsOf()
	var lines []string
	for _, s := range was {
		lines = append(lines, diffLines(s.head, s.lines, linesOf(now, s.head))...)
	}
	for _, s := range now {
		if linesOf(was, s.head) == nil {
			lines = append(lines, diffLines(s.head, nil, s.lines)...)
		}
	}
	if len(lines) > maxLines {
		lines = append(lines[:maxLines:maxLines], fmt.Sprintf("… and %d lines more", len(lines)-maxLines))
	}

	return strings.Join(lines, "\n")
}

// linesOf are the lines of the section with a head; nil if there is none.
func linesOf(sections []section, head string) []string {
	for _, s := range sections {
		if s.head == head {
			return s.lines
		}
	}

	return nil
}

// sectionsOf returns the parts of a request, each with a different head.
func (q *request) sectionsOf() []section {
	var all []section
	add := func(head, text string) { all = append(all, section{head, strings.Split(text, "\n")}) }
	if q.model != "" {
		add("model", "model: "+modelID(q.model))
	}
	for _, setting := range model.SettingTable() {
		add(setting.Name, setting.Name+": "+cmp.Or(setting.Text(q.settings), "not set"))
	}
	add("system:", q.system)
	for _, t := range q.tools {
		add("tool "+t.Name+":", t.Description+"\n"+string(t.Schema))
	}
	if q.schema != "" {
		add("schema:", string(q.schema))
	}
	for i := range q.messages {
		text := q.messages[i].Text
		for _, c := range q.messages[i].Calls {
			text += "\ncall " + c.ID + " of " + c.Name + ": " + string(c.Args)
		}
		add(q.messages[i].headLine(i+1), strings.TrimPrefix(text, "\n"))
	}

	return all
}

// headLine returns the line before a message.
func (m *message) headLine(number int) string {
	text := fmt.Sprintf("message %d, %s", number, m.Role)
	if m.Name != "" {
		text += " " + m.Name
	}
	if m.Call != "" {
		text += ", result of call " + m.Call
	}
	if m.Failed {
		text += ", failed"
	}

	return text + ":"
}

// diffLines shows where two texts differ, without the lines that they begin and end with alike; nothing if they are equal.
func diffLines(head string, before, after []string) []string {
	if before != nil && slices.Equal(before, after) {
		return nil
	}
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	var lines []string
	if strings.HasSuffix(head, ":") {
		lines = append(lines, " "+head)
	}
	for i, text := range before {
		lines = append(lines, "-"+clipAround(text, firstDifference(text, after, i)))
	}
	for i, text := range after {
		lines = append(lines, "+"+clipAround(text, firstDifference(text, before, i)))
	}

	return lines
}

// firstDifference is the first byte at which a line is another than its counterpart; 0 if it has none.
func firstDifference(text string, others []string, i int) int {
	if i >= len(others) {
		return 0
	}
	at := 0
	for at < len(text) && at < len(others[i]) && text[at] == others[i][at] {
		at++
	}

	return at
}

// clipAround is a line that is not too long, with the byte at.
func clipAround(text string, at int) string {
	if utf8.RuneCountInString(text) <= maxWidth {
		return text
	}
	before := ""
	if from := at - maxWidth/4; from > 0 {
		for !utf8.RuneStart(text[from]) {
			from--
		}
		before, text = "…", text[from:]
	}
	count := 0
	for i := range text {
		count++
		if count > maxWidth {
			return before + text[:i] + "…"
		}
	}

	return before + text
}
