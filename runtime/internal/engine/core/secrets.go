package core

import (
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime/internal/engine/errorcodec"
	"github.com/agentc-dev/agentc/runtime/internal/engine/redact"
)

// secrets are values from outside of the program that must not be shown: variables that its agents
// and skills declare, and keys.
type secrets struct {
	redactor atomic.Pointer[redact.Redactor]

	mu sync.Mutex
	// keys are values that were looked up where models or tools are opened: Config.Env may know
	// more variables than the process.
	keys []redact.Secret
}

// lookUpEnv looks up a variable for models or tools that are opened.
func (r *run) lookUpEnv(name string) (value string, ok bool) {
	value, ok = r.engine.config.Env(name)
	if ok && redact.IsKey(name) {
		r.secrets.mu.Lock()
		defer r.secrets.mu.Unlock()
		r.secrets.keys = append(r.secrets.keys, redact.Secret{Name: name, Value: value})
		r.secrets.redactor.Store(nil)
	}

	return value, ok
}

// nothing takes no secrets out.
var nothing redact.Redactor

// redactor returns what redacts the secrets of the run. It is made when it is first needed.
func (r *run) redactor() *redact.Redactor {
	if r.host != nil {
		return &nothing // workers have taken them out, each its own: a run is decided alike by all of them
	}
	if made := r.secrets.redactor.Load(); made != nil {
		return made
	}
	r.secrets.mu.Lock()
	defer r.secrets.mu.Unlock()
	var declared []string
	if r.program != nil {
		declared = slices.Clone(r.program.Vars)
		for i := range r.program.Agents {
			declared = append(declared, r.program.Agents[i].Env...)
		}
	}
	found := redact.Variables(declared, r.engine.config.Env, os.Environ())
	made := redact.New(append(found, r.secrets.keys...)...)
	r.secrets.redactor.Store(made)

	return made
}

// redactError returns an error without the secrets of the run.
func (r *run) redactError(err error) error {
	if err == nil {
		return nil
	}

	return errorcodec.Redact(err, r.redactor().Text)
}
