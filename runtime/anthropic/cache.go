package anthropic

import (
	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// A mark says that what is before it is worth keeping in the cache of prompts: the next request that begins the same pays a tenth
// for it. Four are allowed: the last tool, the instructions, and two in the conversation.

// appendMark writes a mark into the object that is open, if there is to be one.
func appendMark(dst []byte, marked bool, without remote.Lacking) []byte {
	if !marked || without.Has(remote.CacheMarks) {
		return dst
	}

	return append(dst, `,"cache_control":{"type":"ephemeral"}`...)
}

// marksOf are the indexes of the messages that are marked; -1 for none. A conversation with tools continues what it has, so its end
// is marked; and the end that it had a turn before, since a server looks back from a mark over twenty blocks only, and a turn with many
// calls has more. Others are asked once, and what no one asks for again costs more than it saves.
func marksOf(r *model.Request) (before, last int) {
	before, last = -1, -1
	if len(r.Tools) == 0 {
		return before, last
	}
	last = len(r.Messages) - 1
	for i := last; i > 0; i-- {
		if r.Messages[i].Role == model.RoleAssistant {
			return i - 1, last
		}
	}

	return before, last
}
