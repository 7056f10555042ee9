package rt

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

const (
	// mostKept bounds the bytes of long results that a conversation keeps for read_result. The
	// newest is always kept.
	mostKept = 8 << 20
	// leastShown is how short the pieces of a long result become, in bytes, when conversations are
	// too long for the model.
	leastShown = 2 << 10
	// mostAfterTooLong bounds what is shown of a result, in bytes, after a conversation was too
	// long for the model.
	mostAfterTooLong = 16 << 10
)

var readResultTool = model.Tool{
	Name:        toolReadResult,
	Description: "Returns more of a result that was cut, from a byte on.",
	Schema: `{"type":"object","properties":{"id":{"type":"string","description":"The id that the cut result names."},` +
		`"from":{"type":"integer","minimum":0,"description":"The first byte to return."}},"required":["id","from"],` +
		`"additionalProperties":false}`,
}

// longResults are the results of a conversation of which the model was shown a part.
type longResults struct {
	kept []keptResult
	// ids are the ids of those that messages show a part of, by the place of the message in the
	// conversation.
	ids map[int]string
	// next counts the results that have an id, size the bytes that are kept.
	next, size int
	// most bounds what is shown of a result at once, in bytes, beyond what the engine says; 0:
	// nothing does.
	most int
}

type keptResult struct {
	id, text string
	// shown is how much of it the model is shown at once.
	shown int
}

// shortenResult is what the message at a place of the conversation shows of a text, of which the
// model may see so many bytes at once; 0: all of it. remark describes the omitted part.
func (k *longResults) shortenResult(at int, text string, shown int) (part, remark string) {
	if k.most > 0 && (shown == 0 || shown > k.most) {
		shown = k.most
	}
	if shown == 0 || len(text) <= shown {
		return text, ""
	}
	end, where := cutPiece(text, 0, shown)
	if where != "" {
		where = ", cut " + where
	}

	if k.ids == nil {
		k.ids = map[int]string{}
	}
	k.ids[at] = k.keepText(text, shown)

	return text[:end], fmt.Sprintf("[These are the first %d of %d bytes%s. read_result with %s returns what follows.]",
		end, len(text), where, readArgs(k.ids[at], end))
}

// fullText is what the message at a place shows, with what was left out of it.
func (k *longResults) fullText(at int, message string) string {
	for _, r := range k.kept {
		if id := k.ids[at]; r.id == id {
			return r.text
		}
	}

	return message
}

func readArgs(id string, from int) string { return fmt.Sprintf(`{"id":"%s","from":%d}`, id, from) }

// keepText keeps a text and returns its id. The oldest ones go when there are too many bytes.
func (k *longResults) keepText(text string, shown int) (id string) {
	for i, r := range k.kept {
		if r.text == text {
			k.kept[i].shown = shown

			return r.id
		}
	}
	k.next++
	r := keptResult{fmt.Sprintf("r%d", k.next), text, shown}
	k.kept = append(k.kept, r)
	for k.size += len(text); k.size > mostKept && len(k.kept) > 1; k.kept = k.kept[1:] {
		k.size -= len(k.kept[0].text)
		k.kept[0] = keptResult{} // its text is garbage now
	}

	return r.id
}

// readPiece answers read_result.
func (k *longResults) readPiece(args string) result {
	var in struct {
		ID   string
		From *int
	}
	if err := json.Unmarshal([]byte(orEmptyObject(args)), &in); err != nil || in.ID == "" || in.From != nil && *in.From < 0 {
		return result{problem: "read_result takes " + readArgs("r1", 1000) + ": the id of a result that was cut, and the first byte to return."}
	}
	for _, r := range k.kept {
		if r.id == in.ID {
			from := 0
			if in.From != nil {
				from = *in.From
			}

			return k.pieceOf(r, from)
		}
	}
	number, _ := strings.CutPrefix(in.ID, "r")
	if nth, err := strconv.Atoi(number); err == nil && nth > 0 && nth <= k.next {
		return result{problem: fmt.Sprintf("The result %s is no longer kept, because there were longer ones since. Call its tool again.", in.ID)}
	}

	return result{problem: fmt.Sprintf("There is no result %s that was cut.", wording.QuoteStart(in.ID))}
}

// pieceOf returns what the model sees of a kept result from a byte on.
func (k *longResults) pieceOf(r keptResult, from int) result {
	if from >= len(r.text) {
		return result{problem: fmt.Sprintf("The result %s has %d bytes.", r.id, len(r.text))}
	}
	from = characterAt(r.text, from)
	shown := r.shown
	if k.most > 0 {
		shown = min(shown, k.most)
	}
	end, where := cutPiece(r.text, from, shown)
	said := fmt.Sprintf("[These are the bytes from %d up to %d of %d", from, end, len(r.text))
	switch {
	case end == len(r.text):
		said += ", which is the end.]"
	case where != "":
		said += ", cut " + where
		fallthrough
	default:
		said += ". read_result with " + readArgs(r.id, end) + " returns what follows.]"
	}

	return result{text: r.text[from:end], remark: said}
}

// characterAt is where the character begins of which there is a byte at i.
func characterAt(text string, i int) int {
	for at := i; at > max(i-4, 0); at-- {
		if text[at] < 0x80 || text[at] >= 0xc0 {
			return at
		}
	}

	return i
}

// showResult shortens a result for the message at a place of the conversation. What is left out can
// be read by a tool, which is offered from now on.
func (l *loop) showResult(at int, r result) result {
	if !r.ran || !l.tools.canReadResults() {
		return r
	}
	long := &r.text
	if r.problem != "" {
		long = &r.problem
	}
	var remark string
	*long, remark = l.long.shortenResult(at, *long, r.shown)
	if remark != "" {
		r.remark = strings.TrimSpace(remark + "\n\n" + r.remark)
		l.tools.offerReading()
	}

	return r
}

// tooLong shortens the results of tools in the conversation, where the model cannot read the
// conversation with the newest of them. It returns false when another error ends the agent, or when
// nothing is left to shorten.
func (l *loop) tooLong(err error) bool {
	var failed *model.Error
	newest := len(l.messages) // the first of the results that the model has not read yet
	for newest > 0 && l.messages[newest-1].Role == model.RoleTool {
		newest--
	}
	if !errors.As(err, &failed) || failed.Class != model.TooLong || newest == len(l.messages) || !l.tools.canReadResults() {
		return false
	}

	l.long.most = max(leastShown, min(l.longestResult()/4, mostAfterTooLong))
	messages, shorter := append([]model.Message(nil), l.messages...), false // what an engine keeps is not written again
	for i := range messages {
		m := &messages[i]
		if m.Role != model.RoleTool || ownTool(m.Name) || len(m.Text) <= l.long.most+len(unreadable)+200 {
			continue
		}
		part, remark := l.long.shortenResult(i, l.long.fullText(i, m.Text), l.long.most)
		m.Text, shorter = part+"\n\n"+remark, true
		if i >= newest {
			m.Text, m.Failed = unreadable+m.Text, true
		}
	}
	if !shorter {
		return false
	}
	l.messages = messages
	l.tools.offerReading()
	if l.fx.Watched() {
		l.fx.Note(event.Event{
			Kind: event.Repair, Agent: l.spec.Agent, Problem: "the conversation is too long for the model: results of tools are shortened",
		})
	}

	return true
}

// unreadable is in front of a new result that was too long for the model.
const unreadable = "Error: With this result the conversation is longer than the model can read. " +
	"Read on in small pieces, ask for less, or finish with what you have.\n\n"

// longestResult is the length in bytes of the longest result of a tool in the conversation.
func (l *loop) longestResult() (bytes int) {
	for _, m := range l.messages {
		if m.Role == model.RoleTool && !ownTool(m.Name) {
			bytes = max(bytes, len(m.Text))
		}
	}

	return bytes
}

// ownTool reports whether a tool's results are the agent's task or instructions, which are shown
// whole.
func ownTool(name string) bool {
	return name == toolStart || name == toolReadSkill || name == toolFinish
}
