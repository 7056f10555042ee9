package model

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// CredentialError means that a provider's key is missing or cannot be valid. It is reported before a run starts and
// never contains the key.
type CredentialError struct {
	Provider string
	// Variables are the environment variables in which the key is looked up; the first that is set counts. For an
	// invalid key it is the variable that contains it.
	Variables []string
	// Problem is what is wrong with a key; "" if there is none.
	Problem string
	// Agents are the agents that need the key, sorted; nil if they are not known.
	Agents []string
}

func (e *CredentialError) Error() string {
	wanted := ""
	if len(e.Agents) > 0 {
		wanted = " (wanted by " + wording.Agents(e.Agents) + ")"
	}
	if e.Problem != "" {
		return fmt.Sprintf("the key of provider %q%s in %s cannot be one: %s", e.Provider, wanted, strings.Join(e.Variables, ", "), e.Problem)
	}

	return fmt.Sprintf("provider %q needs a key%s: set %s, or run with --script FILE", e.Provider, wanted, strings.Join(e.Variables, " or "))
}

// ErrorType is CredentialError.
func (e *CredentialError) ErrorType() string { return "KeyError" }
