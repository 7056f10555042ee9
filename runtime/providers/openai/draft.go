package openai

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// draft is a reply as far as it has come; it implements remote.Draft.
type draft struct {
	reading *remote.Reading
	decoder *remote.Repeats[completion]
	// bills says that the server says what a turn has cost.
	bills         bool
	model         lenient
	finish        lenient
	usage         *usage
	text, refusal remote.Pieces
	calls         []*draftCall
	// inParts says that text has come in parts, callsInParts that calls have.
	inParts, callsInParts bool
	// begun says that there was a choice at all, other is the first of what came without one.
	begun bool
	other []byte
}

// Draft implements remote.Format.
func (f *format) Draft(r *remote.Reading) remote.Draft {
	return &draft{reading: r, decoder: newDecoder(), bills: f.kind.bills}
}

// draftCall is a call of a tool as far as it has come.
type draftCall struct {
	index, id, name string
	args            remote.Pieces
	nesting         nesting
	extra           string
}

// maxCalls bounds the calls of one reply. No model writes so many, and the search for the call that
// a part continues takes time.
const maxCalls = 1000

// addDelta adds a part of a message.
func (d *draft) addDelta(m *message) error {
	d.inParts = d.inParts || m.Content != "" || m.Refusal != ""
	d.text.WriteString(string(m.Content))
	d.refusal.WriteString(string(m.Refusal))
	d.think(m)
	parts := m.calls()
	for i := range parts {
		d.callsInParts = true
		call := d.callOf(&parts[i])
		if call == nil {
			var err error
			call, err = d.beginCall(&parts[i])
			if err != nil {
				return err
			}
		}
		call.name = d.joinName(call, string(parts[i].Function.Name))
		call.add(&parts[i])
	}

	return nil
}

// addWhole adds a message that is whole, or whole so far, and returns what is new of its text.
// Whatever has come in parts does not count again, and neither does what an earlier message had.
func (d *draft) addWhole(m *message) (text string, err error) {
	d.think(m)
	if !m.says() {
		return "", nil
	}
	if !d.inParts {
		text = newPart(d.text.String(), string(m.Content))
		d.text.WriteString(text)
		d.refusal.WriteString(newPart(d.refusal.String(), string(m.Refusal)))
	}
	if d.callsInParts {
		return text, nil
	}
	had := len(d.calls)
	for i, call := range m.calls() {
		if i < had && d.calls[i].is(&call) {
			continue
		}
		begun, err := d.beginCall(&call)
		if err != nil {
			return text, err
		}
		begun.add(&call)
	}

	return text, nil
}

// newPart is what a text adds to the one before: its rest, if it repeats it.
func newPart(before, text string) string {
	rest, _ := strings.CutPrefix(text, before)

	return rest
}

// think notes whether the model has thought.
func (d *draft) think(m *message) {
	d.reading.Thought = d.reading.Thought || bool(m.Thoughts || m.Reasoning)
}

// beginCall begins another call.
func (d *draft) beginCall(part *toolCall) (*draftCall, error) {
	if len(d.calls) == maxCalls {
		return nil, remote.NewBroken(model.Other, "the reply calls more than "+strconv.Itoa(maxCalls)+" tools")
	}
	call := &draftCall{index: string(part.Index), name: string(part.Function.Name)}
	d.calls = append(d.calls, call)

	return call, nil
}

// joinName is the name of a call after one more part of it. Servers repeat the name, repeat it with
// more, or send it in pieces: pieces belong together if a tool is called so, or begins so.
func (d *draft) joinName(call *draftCall, part string) string {
	switch {
	case part == "" || part == call.name:
		return call.name
	case call.name == "":
		return part
	case d.reading.IsTool(call.name) || call.nesting.begun:
		return call.name
	case strings.HasPrefix(part, call.name) && d.reading.BeginsTool(part):
		return part
	case d.reading.BeginsTool(call.name + part):
		return call.name + part
	}

	return call.name
}

func (c *draftCall) add(part *toolCall) {
	if c.id == "" {
		c.id = string(part.ID)
	}
	c.args.WriteString(string(part.Function.Arguments))
	c.nesting.follow(string(part.Function.Arguments))
	if extra := string(part.Extra); extra != "" && extra != "null" {
		c.extra = extra
	}
}

// is reports whether a call of a message is the one that an earlier message of the reply had at its
// place.
func (c *draftCall) is(call *toolCall) bool {
	if c.id != "" || call.ID != "" {
		return c.id == string(call.ID)
	}

	return c.name == string(call.Function.Name) && c.args.String() == string(call.Function.Arguments)
}

// callOf is the call that a part continues; nil if it begins another. Parts of a call have its index. Servers that number all
// calls alike, or none, is recognised by ids, or by names that come when the call before is complete.
func (d *draft) callOf(part *toolCall) *draftCall {
	for i := len(d.calls) - 1; i >= 0; i-- {
		call := d.calls[i]
		if part.Index != "" && call.index != string(part.Index) {
			continue
		}
		if d.goesOn(call, part) {
			return call
		}
		if part.ID == "" {
			return nil // only the newest can go on without an id
		}
	}

	return nil
}

// goesOn reports whether a part continues a call.
func (d *draft) goesOn(call *draftCall, part *toolCall) bool {
	if part.ID != "" && call.id != "" {
		return call.id == string(part.ID) || part.Index != "" && d.goesOnByIndex(call, part)
	}
	if part.Function.Name == "" || call.name == "" {
		return true
	}

	return part.Function.Arguments == "" || !call.nesting.closed()
}

// goesOnByIndex reports whether a part with the index of a call, but with another id, still
// continues it: some servers make an id for each part. One that names nothing, or has more
// arguments for the same name, or another piece of the name, is no call of its own.
func (d *draft) goesOnByIndex(call *draftCall, part *toolCall) bool {
	name := string(part.Function.Name)
	switch {
	case name == "":
		return true
	case call.nesting.closed():
		return false
	case name == call.name:
		return part.Function.Arguments != ""
	}

	return d.joinName(call, name) != call.name
}

// nesting follows how deep a JSON text is in objects and lists, as far as it has come.
type nesting struct {
	depth           int
	begun           bool
	quoted, escaped bool
}

func (n *nesting) follow(text string) {
	for i := range len(text) {
		switch c := text[i]; {
		case n.escaped:
			n.escaped = false
		case n.quoted && c == '\\':
			n.escaped = true
		case c == '"':
			n.quoted = !n.quoted
		case n.quoted:
		case c == '{' || c == '[':
			n.depth, n.begun = n.depth+1, true
		case c == '}' || c == ']':
			n.depth--
		}
	}
}

// closed reports whether all that was opened has been closed.
func (n *nesting) closed() bool { return n.begun && n.depth <= 0 && !n.quoted }
