package openai

import (
	"net/http"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// lacking is what a server is asked without. bound says that the bound of a reply goes by its other name, stream that it comes in one piece.
type lacking struct {
	temperature, bound, usage, format, stream bool
}

// lacks is what a server was found not to know. It is safe for concurrent use.
type lacks struct {
	mu    sync.Mutex
	known lacking
	// formats are the schemas that were refused: a server that knows forms may not know all of them.
	formats map[string]bool
}

// of is what a request with a schema is sent without from the start.
func (l *lacks) of(schema string) lacking {
	l.mu.Lock()
	defer l.mu.Unlock()
	without := l.known
	without.format = schema != "" && l.formats[schema]

	return without
}

// note remembers what a request was answered without.
func (l *lacks) note(without lacking, schema string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if without.format && !l.formats[schema] {
		if l.formats == nil {
			l.formats = map[string]bool{}
		}
		l.formats[schema] = true
	}
	without.format = false
	l.known = lacking{
		temperature: l.known.temperature || without.temperature, bound: l.known.bound || without.bound,
		usage: l.known.usage || without.usage, stream: l.known.stream || without.stream,
	}
}

// less says what to ask without after a server has refused a request; ok is false if nothing can be left out that may be the
// reason.
func (m *chatModel) less(refused *remote.Refusal, r model.Request, stream bool, now lacking) (without lacking, ok bool) {
	without = now
	c := r.Model
	switch {
	case !refused.BadRequest():
		return now, false
	case c != nil && c.Temperature != nil && !now.temperature && refused.Rejects("temperature"):
		without.temperature = true
	case c != nil && c.MaxTokens != nil && !now.bound && refused.Rejects(m.boundName(now)):
		without.bound = true
	case stream && !now.usage && refused.Rejects("stream_options"):
		without.usage = true
	case r.Schema != "" && !now.format && mayMindFormat(refused):
		without.format = true
	}

	return without, without != now
}

// mayMindFormat reports whether the form of the answer may be why. Servers say that in too many ways to wait for one of them: a
// refusal that has another reason comes again.
func mayMindFormat(f *remote.Refusal) bool {
	switch f.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return f.Param == "" || strings.Contains(f.Param, "format") || strings.Contains(f.Param, "schema")
	}
	text := strings.ToLower(f.Message)

	return f.Status >= 500 &&
		(strings.Contains(text, "grammar") || strings.Contains(text, "schema") || strings.Contains(text, "response_format"))
}
