package model

// Why a model stopped, as Reply.StopReason has it: providers say it in words of their own, which are mapped to these. A word that
// means none of them stays as it is.
const (
	// ReasonStop is the end of what the model had to say.
	ReasonStop = "stop"
	// ReasonLength is the bound of a reply, or of the model's context: the reply is cut off.
	ReasonLength = "length"
	// ReasonCalls is that tools are to be called.
	ReasonCalls = "tool_calls"
	// ReasonRefusal is that the model will not answer, ReasonFilter that a filter of the provider did not let it. Such a turn has failed,
	// with [Refused].
	ReasonRefusal = "refusal"
	ReasonFilter  = "content_filter"
	// ReasonPause is that the provider has interrupted a long turn, whose end is still to come.
	ReasonPause = "pause"
)
