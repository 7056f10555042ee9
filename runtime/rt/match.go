package rt

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// Match is how a transition was found.
type Match string

// The ways in which a transition is found.
const (
	MatchNone          Match = ""
	MatchExact         Match = "exact"
	MatchFolded        Match = "folded"
	MatchCatchAll      Match = "catch-all"
	MatchUnconditional Match = "unconditional"
	MatchGuard         Match = "guard"
)

// MatchKey returns which of the keys of a state's transitions answer means, and how it was found: the key with
// exactly this text, or else the one that is equal when both are folded. Any other answer is returned unchanged, with
// rest.
func MatchKey[K ~string](answer string, keys []K, rest Match) (K, Match) {
	if slices.Contains(keys, K(answer)) {
		return K(answer), MatchExact
	}
	folded := K(wording.Fold(answer))
	if slices.Contains(keys, folded) {
		return folded, MatchFolded
	}
	for _, key := range keys {
		if K(wording.Fold(string(key))) == folded {
			return key, MatchFolded
		}
	}

	return K(answer), rest
}

// KeysIn returns the keys of the transitions of a state; none for a state without a list.
func KeysIn[S ~uint8 | ~uint16 | ~uint32, K ~string](lists [][]K, s S) []K {
	if int(s) < len(lists) {
		return lists[s]
	}

	return nil
}
