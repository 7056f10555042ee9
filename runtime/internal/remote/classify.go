package remote

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// classify says what kind of failure a refusal is, by its status, and where that says too little by its code and its words.
func (f *Refusal) classify() model.Class {
	code, text := strings.ToLower(f.Code+" "+f.Kind), strings.ToLower(f.Message)
	switch {
	case strings.Contains(code, "insufficient_quota") || f.Status == 402 || f.clientSide() && contains(text, quotaWords):
		return model.Quota
	case f.Status == 429:
		return model.RateLimit
	case f.Status == 413 || contains(code, tooLongCodes) || f.clientSide() && contains(text, tooLongWords):
		return model.TooLong
	case contains(code, refusedCodes):
		return model.Refused
	case f.clientSide() && strings.Contains(text, "api key not valid"): // Gemini says 400
		return model.Auth
	case f.Status == 501:
		return model.BadRequest
	}

	return model.ClassOfStatus(f.Status)
}

// clientSide reports whether the status blames the request.
func (f *Refusal) clientSide() bool { return f.Status >= 400 && f.Status < 500 }

var tooLongCodes = []string{"context_length_exceeded", "exceed_context_size", "context_window_exceeded"}

// tooLongWords are how servers say in prose that a conversation is too long: vLLM, llama.cpp, Gemini, Mistral and their like.
var tooLongWords = []string{
	"maximum context length", "context size", "context window", "context length", "prompt is too long", "input is too long",
	"input token count", "too many tokens", "exceed context limit",
}

// quotaWords are how Anthropic says, with 400, that what was paid for is used up.
var quotaWords = []string{"credit balance is too low", "api usage limits"}

var refusedCodes = []string{"content_filter", "content_policy", "responsibleaipolicyviolation", "moderation"}

func contains(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// InReply is a refusal that is where a reply should be, below a status of success. Its status is what it says of itself.
func InReply(k Key, raw []byte, requestID string) *Refusal {
	f := &Refusal{key: k, RequestID: requestID}
	if !f.tellError(raw) {
		f.Message = "an error without a word"
	}
	if status, err := strconv.Atoi(f.Code); err == nil && status >= 400 && status < 600 {
		f.Status = status
		f.Class = f.classify()

		return f
	}

	f.Class = f.classOfCode()

	return f
}

// classOfCode is the class of a refusal that has no status.
func (f *Refusal) classOfCode() model.Class {
	code, text := strings.ToLower(f.Code+" "+f.Kind), strings.ToLower(f.Message)
	switch {
	case strings.Contains(code, "insufficient_quota") || strings.Contains(code, "billing"):
		return model.Quota
	case strings.Contains(code, "rate_limit") || strings.Contains(code, "resource_exhausted"):
		return model.RateLimit
	case strings.Contains(code, "timeout"):
		return model.Timeout
	case strings.Contains(code, "overloaded") || strings.Contains(code, "unavailable"):
		return model.Overloaded
	case contains(code, tooLongCodes) || contains(text, tooLongWords):
		return model.TooLong
	case contains(code, refusedCodes):
		return model.Refused
	case strings.Contains(code, "authentication") || strings.Contains(code, "permission"):
		return model.Auth
	case strings.Contains(code, "invalid") || strings.Contains(code, "badrequest"):
		return model.BadRequest
	}

	return model.Server
}
