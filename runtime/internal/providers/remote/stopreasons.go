package remote

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/engine/stopreason"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Reasons are the words of a format for the end of a reply, in lower case, and what they mean: a
// reason of package model. Words of filters are in no table: they are known in every format.
type Reasons map[string]string

// filterWords are what filters of providers give as the reason for the end of a reply.
var filterWords = map[string]bool{
	"content_filter": true, "content_filtered": true, "content-filter": true, "safety": true, "image_safety": true,
	"recitation": true, "image_recitation": true, "spii": true, "prohibited_content": true, "image_prohibited_content": true,
	"blocklist": true, "model_armor": true, "error_toxic": true, "sensitive": true, "guardrail_intervened": true,
	"guardrails": true, "moderation": true,
}

// Meaning is what a word means; the word itself if it is not known. Gemini adds to a word, after a
// colon, what for.
func (known Reasons) Meaning(word string) string {
	name, _, _ := strings.Cut(strings.ToLower(word), ":")
	name = strings.TrimSpace(name)
	switch reason, isKnown := known[name]; {
	case isKnown:
		return reason
	case filterWords[name]:
		return model.ReasonFilter
	}

	return word
}

// Worse returns the worse of two reasons that a server gave for the end of one reply; of two that
// are as good it is the later one. A reply that was cut off does not become whole by a second reason,
// and one that has failed stays so.
func (known Reasons) Worse(first, later Lenient) Lenient {
	if !IsReason(later) || IsReason(first) && known.badness(first) > known.badness(later) {
		return first
	}

	return later
}

// badness orders the reasons for the end of a reply: the complete ones are before the partial ones,
// and the failures are last.
func (known Reasons) badness(word Lenient) int {
	reason := known.Meaning(string(word))
	switch {
	case stopreason.Failure(reason) != nil:
		return 2
	case stopreason.IsPartial(reason):
		return 1
	}

	return 0
}

// IsReason reports whether a server gives a reason for the end of a reply. Some write the word null
// instead of none.
func IsReason(word Lenient) bool { return word != "" && word != "null" }

// Reply begins a reply that has come whole. answered is what the server calls the model, word its
// reason for the end. Errors: *Broken if the reply did not end normally. The reply then has what was used.
func (r *Reading) Reply(answered, word Lenient, known Reasons, used model.Usage) (model.Reply, error) {
	reply := model.Reply{Usage: used, Model: r.client.Endpoint.Name}
	if name := r.Key.Clean(string(answered), MaxWord); name != "" {
		reply.Model = r.client.Endpoint.Provider + ":" + name
	}
	if !IsReason(word) {
		if !r.client.Endpoint.EndsWithoutReason {
			return reply, NewBroken(model.Server, "the reply gives no reason for its end: it may have been interrupted "+
				"(if this server never gives one, set ends_without_reason: true for "+r.client.Endpoint.Provider+" under providers)")
		}
		reply.StopReason = model.ReasonStop

		return reply, nil
	}
	reply.StopReason = known.Meaning(r.Key.Clean(string(word), MaxWord))
	if failed := stopreason.Failure(reply.StopReason); failed != nil {
		return reply, failed
	}

	return reply, nil
}
