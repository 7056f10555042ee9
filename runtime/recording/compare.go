package recording

import (
	"fmt"
	"strconv"
	"strings"
)

// What a comparison shows at most: lines, and of each so many characters.
const (
	maxLines = 40
	maxWidth = 160
)

// compare shows how two requests differ, as a unified diff of what people read of them.
func compare(recorded, asked *request) string {
	if recorded.model == "" || asked.model == "" { // one that is not known is any
		a, b := *recorded, *asked
		a.model, b.model = "", ""
		recorded, asked = &a, &b
	}
	lines := diff(recorded.text(), asked.text())
	if len(lines) > maxLines {
		lines = append(lines[:maxLines:maxLines], fmt.Sprintf("… and %d lines more", len(lines)-maxLines))
	}

	return strings.Join(lines, "\n")
}

// text is a request as lines for people.
func (q *request) text() []string {
	var lines []string
	add := func(text string) { lines = append(lines, strings.Split(text, "\n")...) }
	if q.model != "" {
		add("model: " + modelID(q.model))
	}
	add(parameter("temperature", q.temperature, func(t float64) string { return strconv.FormatFloat(t, 'g', -1, 64) }))
	add(parameter("max_tokens", q.maxTokens, strconv.Itoa))
	add("system:\n" + q.system)
	for _, t := range q.tools {
		add("tool " + t.Name + ": " + t.Description + "\n" + string(t.Schema))
	}
	if q.schema != "" {
		add("schema: " + string(q.schema))
	}
	for i := range q.messages {
		add(q.messages[i].head(i + 1))
		if text := q.messages[i].Text; text != "" {
			add(text)
		}
		for _, c := range q.messages[i].Calls {
			add("call " + c.ID + " of " + c.Name + ": " + string(c.Args))
		}
	}

	return lines
}

func parameter[T any](name string, p *T, text func(T) string) string {
	if p == nil {
		return name + ": not set"
	}

	return name + ": " + text(*p)
}

// head is the line before a message.
func (m *message) head(number int) string {
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
