package recording

import (
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime/internal/engine/redact"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Player replays a recording in one run. It is safe for concurrent use.
type Player struct {
	recording *Recording
	normal    normal

	mu sync.Mutex
	// queues are the replies to requests that were made.
	queues map[spot]*queue
}

// spot is a request in a branch of the run.
type spot struct {
	key         digest
	model, path string
}

// queue are the replies to equal requests of a branch, in order, and how many of them were played.
type queue struct {
	entries []*entry
	played  int
}

// Play starts the recording from its beginning. secrets removes the secrets of the run from requests, because no
// recording contains them; nil if there are none.
func (r *Recording) Play(secrets func() *redact.Redactor) *Player {
	return &Player{recording: r, normal: normal{secrets}, queues: map[spot]*queue{}}
}

// Model answers a request at an address of the run with the next reply, or the next failure, that was recorded for an
// equal request in that branch of the run; if there is none in the branch, then in any branch. So the replies to a
// branch do not depend on the speed of the others. Errors: *MissError, *SpentError, and recorded failures, with the
// tokens they used.
func (p *Player) Model(r *model.Request, at string) (model.Reply, error) {
	q := p.normal.normalRequest(r)
	all := prefixDigests(q.messages)
	p.mu.Lock()
	defer p.mu.Unlock()

	own := p.queueFor(q, all[len(all)-1], at)
	if len(own.entries) == 0 {
		return model.Reply{}, p.recording.newMissError(q, all, r.Agent, at)
	}
	if own.played == len(own.entries) {
		return model.Reply{}, &SpentError{
			Path: p.recording.Path, Agent: r.Agent, At: at, Line: own.entries[own.played-1].line, Times: own.played,
		}
	}
	e := own.entries[own.played]
	own.played++
	if e.failure != nil {
		return e.failure.usedReply(e.request.model), e.failure.asError()
	}

	return e.reply.asReply(), nil
}

// queueFor are the replies to a request whose messages have the digest messages. The caller has p.mu.
func (p *Player) queueFor(q *request, messages digest, at string) *queue {
	s := spot{q.keyOf(messages), modelID(q.model), branchPath(at)}
	known := p.queues[s]
	if known == nil {
		known = &queue{entries: p.recording.entriesFor(s)}
		p.queues[s] = known
	}

	return known
}

// entriesFor returns the entries that answer a request in a branch.
func (r *Recording) entriesFor(s spot) []*entry {
	var own, all []*entry
	for _, e := range r.byKey[s.key] {
		if !sameModel(s.model, modelID(e.request.model)) {
			continue
		}
		all = append(all, e)
		if branchPath(e.at) == s.path {
			own = append(own, e)
		}
	}
	if own != nil {
		return own
	}

	return all
}

// sameModel reports whether two models, without their providers, may be the same: one that is not
// known may be any.
func sameModel(a, b string) bool { return a == b || a == "" || b == "" }

// branchPath is the numbers of the branches that lead to an address: 7.0.1.2.3 is the third effect of branch 2, of a group in branch 0. The
// ordinals between do not count, so that a program with another effect before still finds its own.
func branchPath(at string) string {
	var branches strings.Builder
	for i := 0; at != ""; i++ {
		var number string
		number, at, _ = strings.Cut(at, ".")
		if i%2 == 1 {
			branches.WriteString(number)
			branches.WriteByte('.')
		}
	}

	return branches.String()
}
