package main

import (
	"math/rand/v2"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// machineName is the agent whose machine is measured: the generated types are WalkState and WalkKey.
const machineName = "walk"

// keyWords are the keys of the measured machines: of the lengths and beginnings that keys of real machines have.
var keyWords = []string{
	"accept", "approve", "cancel", "done", "escalate", "failed", "good-enough", "handoff", "merge", "needs-work",
	"pause", "publish", "reject", "resume", "retry", "review", "revise", "split", "timeout", "unknown",
}

// newMachine draws a machine of n states, n at least 3, from the seed. Each state but the last, which is terminal, has two to
// four rows with keys of keyWords in random order; one of them leads to the next state, so that all can be reached and
// left, the others anywhere but to the state itself, which looplab/fsm and stateless treat as a case of its own.
func newMachine(n int, seed uint64) contest.Machine {
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	m := contest.Machine{States: make([]contest.State, n)}
	for i := range m.States {
		m.States[i].Name = "s" + strconv.Itoa(i)
		if i == n-1 {
			break
		}

		words := random.Perm(len(keyWords))[:2+random.IntN(3)]
		forward := random.IntN(len(words))
		for j, word := range words {
			to := i + 1
			for j != forward && (to == i+1 || to == i) {
				to = random.IntN(n)
			}
			m.States[i].Rows = append(m.States[i].Rows, contest.Row{Key: keyWords[word], To: to})
		}
	}

	return m
}

// newWalk draws the keys of a walk of the given number of steps from the first state that never enters a terminal one.
func newWalk(m contest.Machine, steps int, seed uint64) []string {
	random := rand.New(rand.NewPCG(seed, uint64(steps)))
	keys := make([]string, 0, steps)
	for state := 0; len(keys) < steps; {
		rows := m.States[state].Rows
		row := rows[random.IntN(len(rows))]
		if len(m.States[row.To].Rows) == 0 {
			continue
		}
		keys = append(keys, row.Key)
		state = row.To
	}

	return keys
}
