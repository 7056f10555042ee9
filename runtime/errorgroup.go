package runtime

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// GroupError means that all branches of a group failed.
type GroupError struct {
	Agent string
	// Failed are the branches, in their order.
	Failed []BranchError
}

// maxListedBranches bounds the branches that a message lists: Failed has all.
const maxListedBranches = 5

func (e *GroupError) Error() string {
	listed := e.Failed[:min(len(e.Failed), maxListedBranches)]
	texts := make([]string, len(listed))
	for i, branch := range listed {
		texts[i] = branch.Error()
	}
	text := fmt.Sprintf("agent %q: all branches failed: %s", e.Agent, strings.Join(texts, "; "))
	if more := len(e.Failed) - len(listed); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}

	return text
}

// ErrorType is the code of the error; see [ErrorType].
func (*GroupError) ErrorType() string { return "GroupError" }

// Unwrap returns the branches' errors.
func (e *GroupError) Unwrap() []error {
	errs := make([]error, len(e.Failed))
	for i, branch := range e.Failed {
		errs[i] = branch
	}

	return errs
}

// BranchError means that a branch of a group failed.
type BranchError struct {
	// Name is the name of the branch, as in [rt.Results].
	Name string
	Err  error
}

func (e BranchError) Error() string { return wording.QuoteStart(e.Name) + ": " + e.Err.Error() }

// ErrorType is the code of the error; see [ErrorType].
func (BranchError) ErrorType() string { return "BranchError" }

// Unwrap returns the error of the branch.
func (e BranchError) Unwrap() error { return e.Err }

// ItemLimitError means that a list has more items than its agent may distribute.
type ItemLimitError struct {
	Agent string
	// Items is the number of items, Limit how many are allowed.
	Items, Limit int
}

func (e *ItemLimitError) Error() string { return fmt.Sprintf("agent %q: %s", e.Agent, e.ForModel()) }

// ErrorType is the code of the error; see [ErrorType].
func (*ItemLimitError) ErrorType() string { return "ItemLimitError" }

// ForModel returns what is wrong, in words for the model.
func (e *ItemLimitError) ForModel() string {
	return fmt.Sprintf("the list has %d items, more than max_items = %d", e.Items, e.Limit)
}

// CycleLimitError means that an agent used all its cycles without a result that its verifier accepts.
type CycleLimitError struct {
	Agent string
	// Cycles is the limit.
	Cycles int
	// Feedback is the last reply of the verifier.
	Feedback string
}

func (e *CycleLimitError) Error() string {
	text := fmt.Sprintf("agent %q did not reach an accepted result within max_iter = %d cycles", e.Agent, e.Cycles)
	if e.Feedback == "" {
		return text
	}

	return text + "; the last verdict was " + wording.QuoteStart(e.Feedback)
}

// ErrorType is the code of the error; see [ErrorType].
func (*CycleLimitError) ErrorType() string { return "CycleLimitError" }
