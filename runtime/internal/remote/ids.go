package remote

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime/model"
)

// ids are the ids of calls that a conversation has.
type ids map[string]bool

// idsOf are the ids of the calls in a request's messages.
func idsOf(r *model.Request) ids {
	taken := ids{}
	for i := range r.Messages {
		for _, c := range r.Messages[i].Calls {
			taken[c.ID] = true
		}
	}

	return taken
}

// maxID bounds an id: longer ones come back to servers that do not take them.
const maxID = 256

// unique is the id of the call that is nth in a turn: the server's, if it sent one that no other call has, else one that is made.
func (taken ids) unique(id string, turn, nth int) string {
	if id == "" || len(id) > maxID {
		id = "call_" + strconv.Itoa(turn) + "_" + strconv.Itoa(nth)
	}
	unique := id
	for n := 2; taken[unique]; n++ {
		unique = id + "_" + strconv.Itoa(n)
	}
	taken[unique] = true

	return unique
}
