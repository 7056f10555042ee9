package workflow

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// RecordFalse records a guard that is false, with its text and the values that it read, for the
// error of a state that no transition leaves.
func (r *Run) RecordFalse(guard string, reads ...Member) {
	r.position.refused = append(r.position.refused, runtime.GuardReason{Guard: guard, Reason: truthReason(untrue, reads)})
}

// maxShown is the most characters of a text that a message shows.
const maxShown = 80

// truthReason returns the result of an expression with the values that it read, such as `false
// (context.score = 3)`.
func truthReason(truth Truth, reads []Member) string {
	texts := make([]string, len(reads))
	for i, read := range reads {
		texts[i] = read.Name + " " + read.Value.displayText()
	}
	if len(reads) == 0 {
		return truth.String()
	}

	return truth.String() + " (" + strings.Join(texts, ", ") + ")"
}

// displayText returns a value as messages show it, with a bounded length.
func (v Value) displayText() string {
	switch v.Kind() {
	case kindNone:
		if problem := v.Problem(); problem != "" {
			return "has no value: " + problem
		}
		return "is missing"
	case kindText:
		return "= " + strconv.Quote(wording.First(v.text, maxShown))
	case kindList:
		return "= a list with " + strconv.Itoa(v.Len()) + " items"
	case kindObject:
		return "= an object with " + strconv.Itoa(v.Len()) + " members"
	}

	return "= " + v.JSON()
}
