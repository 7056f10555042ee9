package ir

import "slices"

// The roles of models that the language defines: for conversations without a role, and for roles
// that no config defines.
const (
	DefaultRole = "default"
	ReactRole   = "thinker"
	OneshotRole = "worker"
)

// IsOwnRole reports whether the language defines a role. Its name is never a misspelling.
func IsOwnRole(role string) bool {
	return slices.Contains([]string{DefaultRole, ReactRole, OneshotRole}, role)
}
