package core

import (
	"errors"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// skipTurns lets a script, or a recording, go on behind the turns that it has played in an earlier process.
func (t *modelTurn) skipTurns(request model.Request, r *journal.Record) {
	m := t.first
	if m != nil && m.replay != nil {
		t.skipReplies(m, request, attemptsOf(r))

		return
	}
	player := t.run.script
	if player == nil && m != nil {
		player = m.player
	}
	if player == nil {
		return
	}
	for i := range attemptsOf(r) {
		var over *runtime.ScriptError
		if errors.As(t.skipped(player, request, i), &over) {
			return
		}
	}
}

// maxAttempts bounds what is believed of a journal that somebody else has written.
const maxAttempts = 1000

// attemptsOf is how often a model was asked before there was a result: not at all if a budget was spent.
func attemptsOf(r *journal.Record) int {
	attempts, ok := r.Get("attempts")
	if !ok {
		return 1
	}
	n, err := strconv.Atoi(attempts)
	if err != nil || n < 0 {
		return 1
	}

	return min(n, maxAttempts)
}
