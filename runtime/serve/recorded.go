package serve

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// eventOf is a recorded event as it was told when it happened.
func eventOf(run string, r *journal.Record) told {
	get := func(name string) string {
		value, _ := r.Get(name)

		return value
	}
	e := runtime.EventOf(runtime.EventKind(r.Name), get)
	e.Run, e.Address, e.Time = run, r.Address, r.Time
	e.Seq, _ = strconv.Atoi(get("seq")) // without a number nobody asks for it

	return told{seq: e.Seq, kind: e.Kind, line: e.AppendJSON(nil)}
}
