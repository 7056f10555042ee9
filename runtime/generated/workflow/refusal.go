package workflow

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// Refuse records a guard that did not hold, for the error of a state that no transition leaves: its
// text, and the values that it read.
func (r *Run) Refuse(guard string, reads ...Member) {
	r.place.refused = append(r.place.refused, runtime.GuardReason{Guard: guard, Reason: truthReason(untrue, reads)})
}

// maxShown bounds, in characters, what a message shows of a text.
const maxShown = 80

// truthReason says what an expression resulted in, and what it read: `false (context.score = 3)`.
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

// displayText is a value as a message shows it: bounded, whatever the value is.
func (v Value) displayText() string {
	switch v.Kind() {
	case kindNone:
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
