package rt

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// Match is how a transition was found; "" if there is none.
type Match string

// The ways in which a transition is found.
const (
	MatchExact         Match = "exact"
	matchFolded        Match = "folded"
	MatchCatchAll      Match = "catch-all"
	MatchUnconditional Match = "unconditional"
	MatchGuard         Match = "guard"
)

// KeyLists are the keys of the transitions of a machine by state. A state without a list has none.
type KeyLists[S ~uint8 | ~uint16 | ~uint32, K ~string] [][]K

// Keys returns a copy of the keys of a state.
func (l KeyLists[S, K]) Keys(s S) []K { return slices.Clone(l.of(s)) }

// Texts returns the keys of a state as plain texts: the valid keys of a rejected one.
func (l KeyLists[S, K]) Texts(s S) []string { return wording.Texts(l.of(s)) }

// Match returns which of the keys of a state answer means, and how it was found: the key with
// exactly this text, or else the one that is equal when both are folded. Any other answer is
// returned unchanged, with rest.
func (l KeyLists[S, K]) Match(s S, answer string, rest Match) (K, Match) {
	keys := l.of(s)
	if slices.Contains(keys, K(answer)) {
		return K(answer), MatchExact
	}
	folded := K(wording.Fold(answer))
	if slices.Contains(keys, folded) {
		return folded, matchFolded
	}
	for _, key := range keys {
		if K(wording.Fold(string(key))) == folded {
			return key, matchFolded
		}
	}

	return K(answer), rest
}

func (l KeyLists[S, K]) of(s S) []K {
	if int(s) < len(l) {
		return l[s]
	}

	return nil
}
