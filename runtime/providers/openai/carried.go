package openai

import (
	"encoding/json"
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// extras is what a server sends with calls and wants back with them, by the ids of the calls: signatures of thoughts. It goes back as
// the Carry of the reply, which journals keep, so that another process can continue the conversation.
type extras map[string]json.RawMessage

// maxCarried bounds what is kept of a reply, in bytes: a server that sends more gets none of it back.
const maxCarried = 1 << 20

func (e *extras) keep(id, extra string) {
	if extra == "" || extra == "null" {
		return
	}
	if *e == nil {
		*e = extras{}
	}
	(*e)[id] = json.RawMessage(strings.ToValidUTF8(extra, "\ufffd")) // journals keep nothing else
}

// carry is all of it as one text; "" if there is none.
func (e extras) carry() string {
	if len(e) == 0 {
		return ""
	}
	text, err := json.Marshal(e)
	if err != nil || len(text) > maxCarried {
		return ""
	}

	return string(text)
}

// extrasOf reads what carry has written. What cannot be read is not there.
func extrasOf(message *model.Message) (e extras) {
	if message.Carry == "" || json.Unmarshal([]byte(message.Carry), &e) != nil {
		return nil
	}

	return e
}

// unsigned is what Gemini takes instead of a signature that a conversation does not have: of calls that another model has made.
const unsigned = `{"google":{"thought_signature":"skip_thought_signature_validator"}}`

// extra is what goes back with the call that is nth in its message. Of several calls Gemini signs the first.
func (f *format) extra(back extras, id string, nth int) string {
	if extra := string(back[id]); extra != "" || nth > 0 || !f.kind.signs {
		return extra
	}
	model := strings.TrimPrefix(f.endpoint.ID, "models/")
	if strings.HasPrefix(model, "gemini-1") || strings.HasPrefix(model, "gemini-2") || !strings.HasPrefix(model, "gemini-") {
		return "" // older ones sign too, and do not insist
	}

	return unsigned
}
