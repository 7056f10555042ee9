package anthropic

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Less implements remote.Format.
func (f *format) Less(refused *remote.Refusal, r *model.Request, now remote.Lacking, _ bool) remote.Lacking {
	if less := fewer(now, refused); mostTokens(r.Model, less) < mostTokens(r.Model, now) {
		return less
	}
	if !refused.BadRequest() {
		return now
	}
	without := now.Rejected(refused,
		remote.Field{Lack: remote.Temperature, Name: "temperature", Sent: remote.HasTemperature(r)},
		remote.Field{Lack: remote.CacheMarks, Name: "cache_control", Sent: true},
	)
	if without == now && r.Schema != "" && mayMindForm(refused) {
		without.Left |= remote.Form
	}

	return without
}

// mayMindForm reports whether the form of the answer may be why: servers say in many ways what they mind about a schema.
func mayMindForm(f *remote.Refusal) bool {
	text := strings.ToLower(f.Message)

	return f.Status == http.StatusBadRequest && (strings.Contains(text, "output_config") || strings.Contains(text, "schema") ||
		strings.Contains(text, "structured") || strings.Contains(text, "format"))
}

// How a server says what it allows: a model has a bound of its own, and some refuse a conversation that leaves no
// room for the bound.
var (
	tooMany = regexp.MustCompile(`max_tokens: \d+ > (\d+)`)
	noRoom  = regexp.MustCompile(`exceed context limit: (\d+) \+ \d+ > (\d+)`)
)

// leastRoom is what a reply needs at least, in tokens: with less the conversation is too long.
const leastRoom = 1024

// fewer is what to ask with if a server refuses so many tokens of a reply.
func fewer(l remote.Lacking, f *remote.Refusal) remote.Lacking {
	if f.Status != http.StatusBadRequest {
		return l
	}
	if found := tooMany.FindStringSubmatch(f.Message); found != nil {
		l.Most, _ = strconv.Atoi(found[1])
	}
	if found := noRoom.FindStringSubmatch(f.Message); found != nil {
		input, _ := strconv.Atoi(found[1])
		whole, _ := strconv.Atoi(found[2])
		if whole-input >= leastRoom {
			l.Room = whole - input
		}
	}

	return l
}
