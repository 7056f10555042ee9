package temporal

import (
	"github.com/agentc-dev/agentc/runtime/internal/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// fits says whether a result may go into the run.
func (b *bench) fits(what string, size int) error {
	if size <= b.most {
		return nil
	}

	return failureOf(&core.SizeError{What: what, Size: size, Max: b.most}, 0)
}

// sizeOf is how large a reply is.
func sizeOf(r *model.Reply) int {
	size := len(r.Text) + len(r.Carry)
	for _, call := range r.Calls {
		size += len(call.ID) + len(call.Name) + len(call.Args)
	}

	return size
}
