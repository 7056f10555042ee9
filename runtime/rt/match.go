package rt

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// Match says how a row was found.
type Match string

// How a row was found.
const (
	MatchNone          Match = ""
	MatchExact         Match = "exact"
	MatchFolded        Match = "folded"
	MatchCatchAll      Match = "catch-all"
	MatchUnconditional Match = "unconditional"
	MatchGuard         Match = "guard"
)

// MatchKey returns which of the keys of a state's rows answer means, and how it was found: the key with exactly this text,
// else the one that is equal when both are folded. An answer that is none of them is returned as it is, with rest.
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

// KeysIn returns the keys of the rows of a state; none for a state without a list.
func KeysIn[S ~uint8 | ~uint16 | ~uint32, K ~string](lists [][]K, s S) []K {
	if int(s) < len(lists) {
		return lists[s]
	}

	return nil
}
