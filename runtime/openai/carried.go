package openai

import (
	"strings"
	"sync"
)

// carried is what a server sends with a call and wants back with it, by the id of the call: signatures of thoughts. It is kept
// for as long as the model is open.
type carried struct {
	mu    sync.Mutex
	extra map[string]string
	size  int
}

// maxCarried bounds what is kept, in bytes: a server that sends more gets it back no more.
const maxCarried = 16 << 20

func (c *carried) keep(id, extra string) {
	if extra == "" || extra == "null" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size += len(id) + len(extra); c.size > maxCarried {
		return
	}
	if c.extra == nil {
		c.extra = map[string]string{}
	}
	c.extra[id] = extra
}

func (c *carried) of(id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()

	return c.extra[id]
}

// unsigned is what Gemini takes instead of a signature that a conversation has lost: one that another process has begun.
const unsigned = `{"google":{"thought_signature":"skip_thought_signature_validator"}}`

// extra is what goes back with the call that is nth in its message. Of several calls Gemini signs the first.
func (m *Model) extra(id string, nth int) string {
	if extra := m.carried.of(id); extra != "" || nth > 0 || !m.kind.signs {
		return extra
	}
	model := strings.TrimPrefix(m.endpoint.ID, "models/")
	if strings.HasPrefix(model, "gemini-1") || strings.HasPrefix(model, "gemini-2") || !strings.HasPrefix(model, "gemini-") {
		return "" // older ones sign too, and do not insist
	}

	return unsigned
}
