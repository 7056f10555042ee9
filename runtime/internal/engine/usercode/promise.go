package usercode

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime"
)

// Grace is how long code that promises to return when its context ends may take to do so.
const Grace = 5 * time.Second

// Promise is the promise of some code to return when its context ends. A nil *Promise is none.
type Promise struct {
	// Name names the code.
	Name Name

	isBroken atomic.Bool
}

// isKept reports whether there is a promise that was not broken yet.
func (p *Promise) isKept() bool { return p != nil && !p.isBroken.Load() }

// Promises are the promises of code that several runs call. The zero value has none yet. It is safe
// for concurrent use.
type Promises struct {
	mu    sync.Mutex
	known map[Name]*Promise
}

// Of returns the promise of code with a name; nil if it makes none.
func (p *Promises) Of(name Name, code any) *Promise {
	promising, ok := code.(runtime.Interruptible)
	if !ok || !promising.Interruptible() {
		return nil
	}

	return p.Named(name)
}

// Named returns the promise of code with a name that makes one.
func (p *Promises) Named(name Name) *Promise {
	p.mu.Lock()
	defer p.mu.Unlock()
	if promise := p.known[name]; promise != nil {
		return promise
	}
	if p.known == nil {
		p.known = map[Name]*Promise{}
	}
	promise := &Promise{Name: name}
	p.known[name] = promise

	return promise
}
