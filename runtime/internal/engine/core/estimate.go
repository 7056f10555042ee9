package core

import (
	"math"

	"github.com/agentc-dev/agentc/runtime/model"
)

// estimateMissing estimates what a call has used, unless it has failed before anything was written.
func estimateMissing(request *model.Request, reply *model.Reply, err error) {
	if err == nil || isWritten(reply) {
		estimateUsage(request, reply)
	}
}

// estimateUsage counts the tokens of a turn from the bytes of its texts where the provider has not
// counted them: a limit that nothing is counted against would not hold. A number that is there
// stays.
func estimateUsage(request *model.Request, reply *model.Reply) {
	usage := &reply.Usage
	if usage.Input <= 0 {
		usage.Input = tokensOf(requestBytes(request))
		usage.Estimated = usage.Input > 0
	}
	if usage.Output <= 0 {
		usage.Output = min(tokensOf(len(reply.Text)+callBytes(reply.Calls)), mostOutput(request))
		usage.Estimated = usage.Estimated || usage.Output > 0
	}
}

// isWritten reports whether a model has written a reply, which may have failed anyway.
func isWritten(reply *model.Reply) bool {
	return reply.StopReason != "" || reply.Text != "" || len(reply.Calls) > 0
}

// tokensOf returns how many tokens texts of a number of bytes have at most.
func tokensOf(bytes int) int { return (bytes + model.BytesPerToken - 1) / model.BytesPerToken }

// mostOutput returns how many tokens the reply to a request can have.
func mostOutput(r *model.Request) int {
	if r.Model == nil || r.Model.MaxTokens == nil {
		return math.MaxInt
	}

	return *r.Model.MaxTokens
}

// requestBytes returns the length of what a model is given to read.
func requestBytes(r *model.Request) int {
	sum := len(r.System) + len(r.Schema)
	for i := range r.Messages {
		sum += len(r.Messages[i].Text) + callBytes(r.Messages[i].Calls)
	}
	for i := range r.Tools {
		sum += len(r.Tools[i].Name) + len(r.Tools[i].Description) + len(r.Tools[i].Schema)
	}

	return sum
}

func callBytes(calls []model.ToolCall) int {
	sum := 0
	for i := range calls {
		sum += len(calls[i].Name) + len(calls[i].Args)
	}

	return sum
}
