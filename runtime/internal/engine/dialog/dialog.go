// Package dialog compares what models were asked, turn by turn.
package dialog

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Same is how many of the first messages two requests share. A conversation goes on by appending to its messages, and
// what was sent is never written again. So messages in the same memory are not compared: to compare all turns of a
// conversation takes as long as the conversation is, and not the square of that.
func Same(before, now []model.Message) int {
	most := min(len(before), len(now))
	if most > 0 && &before[0] == &now[0] {
		return most
	}
	same := 0
	for same < most && equal(&before[same], &now[same]) {
		same++
	}

	return same
}

func equal(a, b *model.Message) bool {
	isSameResult := a.CallID == b.CallID && a.Name == b.Name && a.Failed == b.Failed

	return isSameResult && a.Role == b.Role && a.Text == b.Text && slices.Equal(a.Calls, b.Calls)
}
