package remote

import (
	"github.com/agentc-dev/agentc/runtime/model"
)

// Spent adds to a reply what an earlier one of the same turn has used.
func Spent(reply *model.Reply, before model.Reply) {
	reply.Cost += before.Cost
	reply.Usage.Input += before.Usage.Input
	reply.Usage.Output += before.Usage.Output
	reply.Usage.Cached += before.Usage.Cached
	reply.Usage.Stored += before.Usage.Stored
}
