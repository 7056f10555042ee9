package ir

import "slices"

// The roles of models that the language has itself: for conversations that name none, and for roles that no config
// defines.
const (
	DefaultRole = "default"
	ReactRole   = "thinker"
	OneshotRole = "worker"
)

// IsOwnRole reports whether a role is one of the language. Such a word is never a misspelling.
func IsOwnRole(role string) bool {
	return slices.Contains([]string{DefaultRole, ReactRole, OneshotRole}, role)
}
