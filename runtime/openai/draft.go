package openai

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
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

// maxCalls bounds the calls of one reply. No one works on so many, and looking for the call that a part continues takes time.
const maxCalls = 1000

// add adds a message or a part of one. whole says that each of its calls is one of its own.
func (d *draft) add(m *message, whole bool) error {
	d.text.WriteString(string(m.Content))
	d.refusal.WriteString(string(m.Refusal))
	d.reading.Thought = d.reading.Thought || bool(m.Thoughts || m.Reasoning)
	for i := range m.Calls {
		part := &m.Calls[i]
		var call *draftCall
		if !whole {
			call = d.callOf(part)
		}
		if call == nil {
			if len(d.calls) == maxCalls {
				return remote.NewBroken(model.Other, "the reply calls more than "+strconv.Itoa(maxCalls)+" tools")
			}
			call = &draftCall{index: string(part.Index)}
			d.calls = append(d.calls, call)
		}
		call.add(part)
	}

	return nil
}

func (c *draftCall) add(part *toolCall) {
	if c.id == "" {
		c.id = string(part.ID)
	}
	if c.name == "" {
		c.name = string(part.Function.Name)
	}
	c.args.WriteString(string(part.Function.Arguments))
	c.nesting.follow(string(part.Function.Arguments))
	if extra := string(part.Extra); extra != "" && extra != "null" {
		c.extra = extra
	}
}

// callOf is the call that a part continues; nil if it begins another. Parts of a call have its index. Servers that number all
// calls alike, or none, is recognised by ids, or by names that come when the call before is complete.
func (d *draft) callOf(part *toolCall) *draftCall {
	for i := len(d.calls) - 1; i >= 0; i-- {
		call := d.calls[i]
		if part.Index != "" && call.index != string(part.Index) {
			continue
		}
		if call.goesOn(part) {
			return call
		}
		if part.ID == "" {
			return nil // only the newest can go on without an id
		}
	}

	return nil
}

func (c *draftCall) goesOn(part *toolCall) bool {
	if part.ID != "" && c.id != "" {
		return c.id == string(part.ID)
	}
	if part.Function.Name == "" || c.name == "" {
		return true
	}

	return part.Function.Arguments == "" || !c.nesting.closed()
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
