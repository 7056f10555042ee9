package client

import (
	"crypto/sha256"
	"encoding/json"
	"sync"
)

// pool are the servers that runs of this process use now.
var pool = struct {
	sync.Mutex
	sessions map[string]*session
}{sessions: map[string]*session{}}

// leaseSession returns the session with a server, which is shared with all who use the same server with the same variables.
func leaseSession(s Server, env func(string) (string, bool)) *session {
	values := s.readVariables(env)
	key := keyOf(s, values)
	pool.Lock()
	defer pool.Unlock()
	shared := pool.sessions[key]
	if shared == nil {
		shared = newSession(s, env, values)
		shared.key = key
		pool.sessions[key] = shared
	}
	shared.users++

	return shared
}

// keyOf is the same for servers that may be shared: reached the same way, with the same variables and the same pins.
func keyOf(s Server, values map[string]string) string {
	key := []any{s.Name, s.Command, s.URL, s.Env, s.Headers, s.Protocol, values}
	for _, t := range s.Tools {
		key = append(key, t.Remote, t.Spec.Name, t.Spec.Description, t.Spec.Input, t.Spec.Output, t.Hints)
	}
	text, _ := json.Marshal(key) // texts, and lists and mappings of texts
	sum := sha256.Sum256(text)

	return string(sum[:])
}

// releaseSession ends the use of a session; the last one stops the server.
func (s *session) releaseSession() {
	pool.Lock()
	s.users--
	last := s.users == 0
	if last {
		delete(pool.sessions, s.key)
	}
	pool.Unlock()
	if last {
		s.closeLink()
	}
}
