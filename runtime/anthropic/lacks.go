package anthropic

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
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
	fields := append(remote.SettingFields(r, func(setting *model.Setting) string { return settingName(setting, r) }),
		remote.Field{Lack: remote.CacheMarks, Name: "cache_control", Sent: true},
	)
	without := now.Rejected(refused, fields...)
	if without == now && r.Schema != "" && mayMindForm(refused) {
		without.Left |= remote.Form
	}

	return without
}

// formWords are the words of servers for the form of an answer.
var formWords = []string{"output_config", "schema", "structured", "format"}

// mayMindForm reports whether the form of the answer may be why: servers say in many ways what they mind about a schema.
func mayMindForm(f *remote.Refusal) bool {
	if f.Status != http.StatusBadRequest {
		return false
	}
	text := strings.ToLower(f.Message)

	return slices.ContainsFunc(formWords, func(word string) bool { return strings.Contains(text, word) })
}

// leastRoom is what a reply needs at least, in tokens: with less the conversation is too long.
const leastRoom = 1024

// fewer is what to ask with if a server refuses so many tokens of a reply.
func fewer(l remote.Lacking, f *remote.Refusal) remote.Lacking {
	if f.Status != http.StatusBadRequest {
		return l
	}
	if n := numbersAfter(f.Message, "max_tokens: "); len(n) > 1 { // A > B: a model has a bound of its own
		l.Most = n[1]
	}
	if n := numbersAfter(f.Message, "exceed context limit: "); len(n) > 2 && n[2]-n[0] >= leastRoom { // A + B > C
		l.Room = n[2] - n[0]
	}

	return l
}

// numbersAfter returns the numbers in what follows a text. Regular expressions would add 0.25 MB to a binary.
func numbersAfter(message, text string) (numbers []int) {
	_, rest, _ := strings.Cut(message, text)
	for digits := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r < '0' || r > '9' }) {
		n, _ := strconv.Atoi(digits)
		numbers = append(numbers, n)
	}

	return numbers
}
