package model

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// CredentialError is a provider's key that is not there or cannot be one. It is found before a run starts, and never has the key itself.
type CredentialError struct {
	Provider string
	// Variables are those that are looked at, the first that is set counts; of a key that cannot be one, its variable alone.
	Variables []string
	// Problem says what is wrong with a key; "" if there is none.
	Problem string
	// Agents are those that want it, sorted; nil where that is not known.
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
