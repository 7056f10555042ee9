package openai

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// stopReason is why a model stopped, in the runtime's words. What servers say that OpenAI does not is among those they are known to say;
// any other word stays.
func stopReason(finish string) string {
	switch word := strings.ToLower(finish); word {
	case "stop", "eos", "eos_token", "end_turn", "stop_sequence":
		return model.ReasonStop
	case "length", "max_tokens", "model_length", "max_output_tokens":
		return model.ReasonLength
	case "tool_calls", "tool_use", "function_call":
		return model.ReasonCalls
	default:
		if strings.HasPrefix(word, "content_filter") || word == "safety" || word == "refusal" { // Gemini adds what for
			return model.ReasonFilter
		}
	}

	return finish
}
