package simulate

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/workflow"
)

// mark is a character that no text of a source has: it means what is only known in a run, such as what it is given. Whatever
// is made of an unknown value has it too.
const mark = "\ue000"

// unknown is a value of which nothing is known.
var unknown = workflow.Text(mark)

// isUnknown reports whether something in a value is not known.
func isUnknown(v workflow.Value) bool {
	if text, isText := v.AsText(); isText {
		return strings.Contains(text, mark)
	}

	return strings.Contains(v.JSON(), mark)
}

// holds says whether a value holds as a condition: a text of which a part is known is not empty.
func holds(v workflow.Value) workflow.Truth {
	if text, isText := v.AsText(); isText && text == mark {
		return workflow.Unknown
	}

	return workflow.Known(v.True())
}

// truth returns the value of a comparison.
func truth(t workflow.Truth) workflow.Value {
	if t == workflow.Unknown {
		return unknown
	}

	return workflow.Bool(t == workflow.True)
}
