package recording

import "slices"

// newMissError is the error of a request that the recording does not have; all are the digests of the beginnings of its messages.
func (r *Recording) newMissError(q *request, all []digest, agent, at string) error {
	e := &MissError{Path: r.Path, Agent: agent, At: at, Model: q.model}
	if near := r.nearestEntry(q, all, agent, at); near != nil {
		e.Line, e.Diff = near.line, compareRequests(near.request.wholeRequest(), q)
	}

	return e
}

// nearestEntry is the entry whose request is most like one that was made; nil if there are none. Of several it is the first.
func (r *Recording) nearestEntry(q *request, all []digest, agent, at string) *entry {
	var best *entry
	var most []int
	for _, e := range r.entries {
		if likeness := e.similarity(q, all, agent, at); best == nil || slices.Compare(likeness, most) > 0 {
			best, most = e, likeness
		}
	}

	return best
}

// similarity returns how much alike a request is to the entry's: what comes first counts most.
func (e *entry) similarity(q *request, all []digest, agent, at string) []int {
	was := e.request
	longer := max(was.last.length()-len(q.messages), len(q.messages)-was.last.length())

	return []int{
		boolToInt(e.agent == agent), boolToInt(sameModel(modelID(was.model), modelID(q.model))), was.last.commonPrefix(all).length(), -longer,
		boolToInt(was.system == q.system), boolToInt(branchPath(e.at) == branchPath(at)), boolToInt(e.at == at),
	}
}

func boolToInt(b bool) int {
	if b {
		return 1
	}

	return 0
}
