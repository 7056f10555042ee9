package remote

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// classify returns the class of a refusal: by its status, and where that is not enough by its code
// and its words.
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
	f.tell(raw)
	if f.Message == "" {
		f.Message = "an error without a word"
	}
	f.Status = f.statedStatus()
	if f.Status != 0 {
		f.Class = f.classify()
	} else {
		f.Class = f.classOfCode()
	}
	f.heedMessage()

	return f
}

// mistakeCodes and mistakeWords are the expressions of servers for a call of a tool, or JSON, that
// the model wrote and they cannot read. They blame the request for it, with 400, or themselves,
// with 500.
var (
	mistakeCodes = []string{"tool_use_failed", "json_validate_failed", "output_parse_failed", "malformed_function_call"}
	mistakeWords = []string{
		"failed to call a function", "failed to generate json", "tool call validation failed", "malformed function call",
		"error parsing tool call", "failed to parse tool call", "could not parse tool call", "failed to parse function call",
		"invalid function arguments json", "invalid tool call arguments", `"function.arguments" parameter`,
	}
)

// isModelMistake reports whether a server refuses what the model wrote, and not the request.
func (f *Refusal) isModelMistake() bool {
	switch f.Status {
	case 0, 400, 422, 500:
		return contains(strings.ToLower(f.Code+" "+f.Kind), mistakeCodes) || contains(strings.ToLower(f.Message), mistakeWords)
	}

	return false
}

// statedStatus is the HTTP status that a refusal says it has; 0 if it says none.
func (f *Refusal) statedStatus() int {
	for _, word := range []string{f.Code, f.Kind} {
		if status, err := strconv.Atoi(word); err == nil && status >= 400 && status < 600 {
			return status
		}
	}

	return 0
}

// wordsOfClasses are the words by which a refusal without a status is recognised, in its code and
// in its message. The first class counts of which there is one.
var wordsOfClasses = []struct {
	class          model.Class
	codes, message []string
}{
	{model.Quota, []string{"insufficient_quota", "billing"}, []string{"insufficient balance", "insufficient_quota", "exceeded your current quota"}},
	{model.RateLimit, []string{"rate_limit", "ratelimit", "resource_exhausted", "too_many_requests"}, []string{"rate limit", "too many requests"}},
	{model.Timeout, []string{"timeout"}, []string{"timed out"}},
	{model.Overloaded, []string{"overloaded", "unavailable"}, []string{"overloaded", "unavailable"}},
	{model.TooLong, tooLongCodes, tooLongWords},
	{model.Refused, refusedCodes, nil},
	{model.Auth, []string{"authentication", "permission", "unauthorized", "unauthenticated", "forbidden", "invalid_api_key"}, authWords},
	{model.BadRequest, []string{"invalid", "badrequest", "not_found", "notfound"}, []string{"not found", "does not exist", "no such model", "unknown model"}},
}

// authWords are how servers say in prose that the key, or its absence, is why.
var authWords = []string{
	"not authenticated", "unauthenticated", "authentication", "unauthorized", "unauthorised", "not authorized", "not authorised",
	"permission denied", "access denied", "forbidden", "invalid api key", "incorrect api key", "invalid token", "api key not valid",
}

// classOfCode is the class of a refusal that has no status.
func (f *Refusal) classOfCode() model.Class {
	code, text := strings.ToLower(f.Code+" "+f.Kind), strings.ToLower(f.Message)
	for _, known := range wordsOfClasses {
		if contains(code, known.codes) || contains(text, known.message) {
			return known.class
		}
	}

	return model.Server
}
