package openai

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
)

// classify says what kind of failure a refusal is, by its status, and where that says too little by its code and its words.
func (f *refusal) classify() runtime.ModelErrorClass {
	code, text := strings.ToLower(f.code+" "+f.kind), strings.ToLower(f.message)
	switch {
	case strings.Contains(code, "insufficient_quota") || f.status == 402:
		return runtime.ModelQuota
	case f.status == 429:
		return runtime.ModelRateLimit
	case f.status == 413 || contains(code, tooLongCodes) || f.clientSide() && contains(text, tooLongWords):
		return runtime.ModelTooLong
	case contains(code, refusedCodes):
		return runtime.ModelRefused
	case f.clientSide() && strings.Contains(text, "api key not valid"): // Gemini says 400
		return runtime.ModelAuth
	case f.status == 501:
		return runtime.ModelBadRequest
	}

	return runtime.ClassOfStatus(f.status)
}

// clientSide reports whether the status blames the request.
func (f *refusal) clientSide() bool { return f.status >= 400 && f.status < 500 }

var tooLongCodes = []string{"context_length_exceeded", "exceed_context_size", "context_window_exceeded"}

// tooLongWords are how servers say in prose that a conversation is too long: vLLM, llama.cpp, Gemini, Mistral and their like.
var tooLongWords = []string{
	"maximum context length", "context size", "context window", "context length", "prompt is too long", "input is too long",
	"input token count", "too many tokens",
}

var refusedCodes = []string{"content_filter", "content_policy", "responsibleaipolicyviolation", "moderation"}

func contains(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}

	return false
}

// inReply is a refusal that stands where a reply should, below a status of success. Its status is what it says of itself.
func inReply(k key, raw []byte, requestID string) *refusal {
	f := &refusal{key: k, requestID: requestID}
	if !f.tellError(raw) {
		f.message = "an error without a word"
	}
	if status, err := strconv.Atoi(f.code); err == nil && status >= 400 && status < 600 {
		f.status = status
		f.class = f.classify()

		return f
	}

	f.class = f.classOfCode()

	return f
}

// classOfCode is the class of a refusal that has no status.
func (f *refusal) classOfCode() runtime.ModelErrorClass {
	code, text := strings.ToLower(f.code+" "+f.kind), strings.ToLower(f.message)
	switch {
	case strings.Contains(code, "insufficient_quota"):
		return runtime.ModelQuota
	case strings.Contains(code, "rate_limit") || strings.Contains(code, "resource_exhausted"):
		return runtime.ModelRateLimit
	case strings.Contains(code, "overloaded") || strings.Contains(code, "unavailable"):
		return runtime.ModelOverloaded
	case contains(code, tooLongCodes) || contains(text, tooLongWords):
		return runtime.ModelTooLong
	case contains(code, refusedCodes):
		return runtime.ModelRefused
	case strings.Contains(code, "authentication") || strings.Contains(code, "permission"):
		return runtime.ModelAuth
	case strings.Contains(code, "invalid") || strings.Contains(code, "badrequest"):
		return runtime.ModelBadRequest
	}

	return runtime.ModelServer
}
