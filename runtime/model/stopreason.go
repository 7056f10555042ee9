package model

// The reasons why a model stopped, for Reply.StopReason: providers have words of their own, which
// are mapped to these. A turn that ends for any other reason has failed, with [Server]; "" is the
// reason of providers that give none.
const (
	// ReasonStop: the model has finished its reply.
	ReasonStop = "stop"
	// ReasonLength: the limit of a reply, or of the model's context, was reached; the reply is cut off.
	ReasonLength = "length"
	// ReasonCalls: the model calls tools.
	ReasonCalls = "tool_calls"
	// ReasonRefusal: the model refused to answer. ReasonFilter: a filter of the provider blocked the answer. Such a
	// turn has failed, with [Refused].
	ReasonRefusal = "refusal"
	ReasonFilter  = "content_filter"
	// ReasonPause: the provider has interrupted a long turn, which is to be continued.
	ReasonPause = "pause"
)
