package recording

import "slices"

// miss is the error of a request that the recording does not have; all are the digests of the beginnings of its messages.
func (r *Recording) miss(q *request, all []digest, agent, at string) error {
	e := &MissError{Path: r.Path, Agent: agent, At: at, Model: q.model}
	if near := r.nearest(q, all, agent, at); near != nil {
		e.Line, e.Diff = near.line, compare(near.request.whole(), q)
	}

	return e
}

// nearest is the entry whose request is most like one that was made; nil if there are none. Of several it is the first.
func (r *Recording) nearest(q *request, all []digest, agent, at string) *entry {
	var best *entry
	var most []int
	for _, e := range r.entries {
		if likeness := e.likeness(q, all, agent, at); best == nil || slices.Compare(likeness, most) > 0 {
			best, most = e, likeness
		}
	}

	return best
}

// likeness says how much alike a request is to the entry's: what comes first counts most.
func (e *entry) likeness(q *request, all []digest, agent, at string) []int {
	was := e.request
	longer := max(was.last.len()-len(q.messages), len(q.messages)-was.last.len())

	return []int{
		number(e.agent == agent), number(sameModel(modelID(was.model), modelID(q.model))), was.last.common(all).len(), -longer,
		number(was.system == q.system), number(path(e.at) == path(at)), number(e.at == at),
	}
}

func number(b bool) int {
	if b {
		return 1
	}

	return 0
}
