package rt

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/stopreason"
	"github.com/agentc-dev/agentc/runtime/model"
)

// misreadReply returns what a model wrote that its server could not read, as a reply, and what is
// wrong with it; nil if err is another error. Such a reply is a mistake of the model like any
// other.
func misreadReply(agent string, err error) (model.Reply, *runtime.OutputError) {
	failed := stopreason.UnreadableIn(err)
	if failed == nil {
		return model.Reply{}, nil
	}
	fault := &runtime.OutputError{Agent: agent, Problem: "the server could not read what the model wrote: " + failed.Message}

	return model.Reply{Text: failed.Written, StopReason: failed.StopReason}, fault
}

// repairMisread asks again after a reply that the server could not read. Errors: err, unless it is
// that, and the error with which the agent ends.
func (l *loop) repairMisread(err error) error {
	reply, fault := misreadReply(l.spec.Agent, err)
	if fault == nil {
		return err
	}
	l.stuck.reset()

	return l.repairPlain(&reply, fault.Problem, l.finishAdvice(), fault)
}

// judgeTurn judges what came of a turn. reply becomes what the server could not read, if that is
// why the turn failed. Errors: err, for any other failure.
func judgeTurn(spec *OneshotSpec, reply *model.Reply, err error) (value content, fault unfit, ended error) {
	written, misread := misreadReply(spec.Agent, err)
	switch {
	case misread != nil:
		*reply = written

		return content{}, misread, nil
	case err != nil:
		return content{}, nil, err
	}
	value, fault = judgeReply(spec, reply)

	return value, fault, nil
}
