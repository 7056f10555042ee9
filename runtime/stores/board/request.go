package board

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
)

// Request asks for a step of a machine.
type Request struct {
	// ID identifies the machine.
	ID string
	// Attempt is the step. Its Agent is the caller's own claim, which is recorded; access rules apply to Identity.
	Attempt drive.Attempt
	// Metadata is JSON that is recorded with the step; nil: none.
	Metadata json.RawMessage
	// Identity is the agent of the caller's credential; "" is a caller without one, whom only access rules for "*"
	// admit. An Agent that differs is refused.
	Identity string
}

func (r *Request) check() error {
	return errors.Join(
		checkID(r.ID),
		checkText("key", r.Attempt.Key, maxKey),
		checkText("state", r.Attempt.To, maxKey),
		checkSize("value", len(r.Attempt.Value), maxValue),
		checkUTF8("value", r.Attempt.Value),
		checkJSON("metadata", r.Metadata),
		checkWho(r.Attempt.Agent, r.Identity),
	)
}

// WriteRequest sets the value of a key of the blackboard.
type WriteRequest struct {
	Key string
	// JSON is the value, which is kept byte for byte.
	JSON json.RawMessage
	// IfVersion is the version that the key must have, 0 if it must have no value; nil: any.
	IfVersion *uint64
	// TTL is how long the value is kept; 0: until it is overwritten or deleted.
	TTL time.Duration
	// Agent and Identity identify the caller, as in Request.
	Agent, Identity string
}

func (r *WriteRequest) check() error {
	err := errors.Join(checkKey(r.Key), checkJSON("value", r.JSON), checkWho(r.Agent, r.Identity))
	if r.JSON == nil {
		err = errors.Join(err, invalidFieldError("value", "is missing"))
	}
	if r.TTL < 0 {
		err = errors.Join(err, invalidFieldError(fmt.Sprintf("ttl %q", r.TTL), "is negative"))
	}

	return err
}

func checkKey(key string) error {
	if key == "" {
		return invalidFieldError("key", "is missing")
	}

	return checkText("key", key, maxKey)
}

func checkWho(agent, identity string) error {
	return errors.Join(checkText("agent", agent, maxKey), checkText("identity", identity, maxKey))
}

// checkText returns an error unless the text could be on one line of a page.
func checkText(field, text string, most int) error {
	if err := checkSize(field, len(text), most); err != nil {
		return err
	}
	if err := checkUTF8(field, text); err != nil {
		return err
	}
	if strings.ContainsFunc(text, breaksLine) {
		return invalidFieldError(fmt.Sprintf("%s %q", field, text), "has a control character or a line break")
	}

	return nil
}

func breaksLine(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }

func checkSize(field string, size, most int) error {
	if size > most {
		return newRefusal("TooLargeError", "", "%s is too large: it has %d bytes, and may have %d", field, size, most)
	}

	return nil
}

func checkUTF8(field, text string) error {
	if !utf8.ValidString(text) {
		return invalidFieldError(field, "is not valid UTF-8")
	}

	return nil
}

// checkJSON returns an error unless text is JSON, or nil.
func checkJSON(field string, text json.RawMessage) error {
	if text == nil {
		return nil
	}
	if err := checkSize(field, len(text), maxValue); err != nil {
		return err
	}
	var any json.RawMessage
	if err := json.Unmarshal(text, &any); err != nil {
		return invalidFieldError(field, "is not JSON: "+err.Error())
	}
	if nestingDepth(text) > maxDepth {
		return invalidFieldError(field, fmt.Sprintf("has more than %d lists and objects inside each other", maxDepth))
	}

	return checkUTF8(field, string(text))
}

// maxDepth is how deep JSON may be nested: it is handed on inside of other JSON, and readers have limits.
const maxDepth = 1000

// nestingDepth is how many lists and objects of JSON are inside each other.
func nestingDepth(text []byte) (most int) {
	open, quoted, escaped := 0, false, false
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"':
			quoted = true
		case c == '[', c == '{':
			open++
			most = max(most, open)
		case c == ']', c == '}':
			open--
		}
	}

	return most
}
