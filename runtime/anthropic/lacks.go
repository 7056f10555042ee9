package anthropic

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// lacking is what a server is asked without.
type lacking struct {
	temperature, caching, format, stream bool
	// most is how many tokens of a reply the model allows, room how many this conversation leaves; 0: no one has asked for too many.
	most, room int
}

// lacks is what a server was found not to know. It is safe for concurrent use.
type lacks struct {
	mu    sync.Mutex
	known lacking
	// forms are the schemas that were refused.
	forms sync.Map
}

// of is what a request with a schema is sent without from the start.
func (l *lacks) of(schema string) lacking {
	l.mu.Lock()
	without := l.known
	l.mu.Unlock()
	_, without.format = l.forms.Load(schema)

	return without
}

// note remembers what a request was answered without.
func (l *lacks) note(without lacking, schema string) {
	if without.format {
		l.forms.Store(schema, true)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known.temperature = l.known.temperature || without.temperature
	l.known.caching = l.known.caching || without.caching
	l.known.stream = l.known.stream || without.stream
	if without.most > 0 && (l.known.most == 0 || without.most < l.known.most) {
		l.known.most = without.most
	}
}

// less says what to ask without after a server has refused a request; ok is false if nothing can be left out that may be the reason.
func (m *messagesModel) less(refused *remote.Refusal, r *model.Request, now lacking) (without lacking, ok bool) {
	without = now
	if fewer := now.fewer(refused); mostTokens(r.Model, fewer) < mostTokens(r.Model, now) {
		return fewer, true
	}
	switch {
	case !refused.BadRequest():
		return now, false
	case r.Model != nil && r.Model.Temperature != nil && !now.temperature && refused.Rejects("temperature"):
		without.temperature = true
	case !now.caching && refused.Rejects("cache_control"):
		without.caching = true
	case r.Schema != "" && !now.format && mayMindForm(refused):
		without.format = true
	}

	return without, without != now
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
func (l lacking) fewer(f *remote.Refusal) lacking {
	if f.Status != http.StatusBadRequest {
		return l
	}
	if found := tooMany.FindStringSubmatch(f.Message); found != nil {
		l.most, _ = strconv.Atoi(found[1])
	}
	if found := noRoom.FindStringSubmatch(f.Message); found != nil {
		input, _ := strconv.Atoi(found[1])
		whole, _ := strconv.Atoi(found[2])
		if whole-input >= leastRoom {
			l.room = whole - input
		}
	}

	return l
}
