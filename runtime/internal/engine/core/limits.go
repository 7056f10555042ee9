package core

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// resultLimits bound the result of a tool, in bytes.
type resultLimits struct {
	// shown is how much a model sees at once, and kept how much of a result is kept.
	shown, kept int
}

const (
	defaultShown = 20_000
	defaultKept  = 4_000_000
	// secretSpace is kept after the limit until secrets are redacted, so that no part of a secret
	// is shown.
	secretSpace = 1 << 20
)

// resultLimits are the limits of a program. The environment overrides them. They apply when a
// result arrives: what is shown of it is recorded.
func (e *Engine) resultLimits(p *compiled.Program) (limits resultLimits, err error) {
	r := resolver{program: p, env: e.config.Env}
	shown, err := r.limit("TOOL_RESULT", func(l compiled.Limits) int64 { return l.ToolResult })
	if err != nil {
		return limits, err
	}
	kept, err := r.limit("TOOL_RESULT_MAX", func(l compiled.Limits) int64 { return l.ToolResultMax })
	limits = resultLimits{cmp.Or(int(shown), defaultShown), cmp.Or(int(kept), defaultKept)}

	return limits, err
}

// limitResult redacts a result and cuts what is longer than the limits.
func (r *run) limitResult(result runtime.ToolResult) runtime.ToolResult {
	limits := r.results
	result.Text, result.Problem = clipText(result.Text, limits.kept+secretSpace), clipText(result.Problem, limits.kept+secretSpace)
	size := max(len(result.Text), len(result.Problem))
	result = r.redactor().Result(result)
	result.Text, result.Problem = limits.cut(result.Text), limits.cut(result.Problem)
	if size > limits.kept {
		result.JSON = false // it has no end
	}
	if len(result.Text) > limits.shown || len(result.Problem) > limits.shown {
		result.Shown = limits.shown
	}

	return result
}

// cut ends a text that is too long to be kept with a note about that.
func (l resultLimits) cut(text string) string {
	if len(text) <= l.kept {
		return text
	}

	return clipText(text, l.kept) + fmt.Sprintf("\n\n[The result is cut here: a tool may return %d bytes, and this is all that was kept. "+
		"Ask for less at a time.]", l.kept)
}

// clipText returns the beginning of a text, at most so many bytes and whole characters. The rest
// can be freed.
func clipText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most
	for end > max(most-utf8.UTFMax, 0) && !utf8.RuneStart(text[end]) {
		end--
	}

	return strings.Clone(text[:end])
}
