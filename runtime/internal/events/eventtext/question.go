package eventtext

import (
	"fmt"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// UnknownQuestion is the question whether the effect u, which had begun when its run was interrupted, has happened. Its answers are again, skip, fail and done VALUE.
func UnknownQuestion(u *event.UnknownEffect) runtime.Question {
	by := ""
	if u.Agent != "" {
		by = " of agent " + strconv.Quote(u.Agent)
	}

	perhaps := ""
	if !u.Renewed.IsZero() {
		perhaps = fmt.Sprintf("The process that made the call renewed its lease of the run last at %s. It may still be at work, and the call "+
			"may yet happen. ", wording.Time(u.Renewed))
	}

	return runtime.Question{
		ID: unknown.Question(u.Name), Agent: u.Agent, Effect: u,
		Choices: []string{unknown.Again, unknown.Skip, unknown.Fail, unknown.Done + " VALUE"},
		Prompt: fmt.Sprintf("The run was interrupted while %s %q%s was at work, and it is not known whether the call has happened. "+
			"%sArguments: %s. Address: %s. Idempotency key: %s. Answer again to call it again, skip to continue without a result, "+
			"fail to end the run, or done VALUE if it has happened and VALUE is its result.",
			u.Kind, u.Name, by, perhaps, u.Args, u.Address, u.Key),
		Check: u.CheckAnswer,
	}
}
