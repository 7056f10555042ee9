package rt

import "github.com/agentc-dev/agentc/runtime/model"

// unended says why a reply is not all of what the model has to say; "" if it is.
func unended(reason string) string {
	switch reason {
	case model.ReasonLength:
		return "it was cut off where the length of a reply ends"
	case model.ReasonPause:
		return "it was interrupted before its end"
	}

	return ""
}
