// Command door drives a compiled machine from plain Go: each word on the command line is a key.
//
//	door open close lock unlock
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/agentc-dev/agentc/examples/door/agents"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run turns each word into a key, prints the state that it leads to, and at the end what could be done next. It returns the
// exit code: 1 at the first word that does not fit the state.
func run(words []string, stdout, stderr io.Writer) int {
	state := agents.DoorStateClosed
	fmt.Fprintln(stdout, state)

	for _, word := range words {
		next, ok := state.Next(agents.DoorKey(word))
		if !ok {
			fmt.Fprintf(stderr, "the door is %s: %q is none of %v\n", state, word, state.Keys())
			return 1
		}
		state = next
		fmt.Fprintln(stdout, state)
	}

	for _, key := range state.Keys() {
		fmt.Fprintf(stdout, "  %s: %s\n", key, deed(key))
	}

	return 0
}

// deed says what a person does. It names every key as a constant: take a key out of AGENT.md, run go generate, and its line
// no longer compiles.
func deed(key agents.DoorKey) string {
	switch key {
	case agents.DoorKeyOpen:
		return "push the handle down and pull"
	case agents.DoorKeyKnock:
		return "knock, and wait until somebody opens"
	case agents.DoorKeyClose:
		return "push until it clicks"
	case agents.DoorKeySlam:
		return "let the wind do it"
	case agents.DoorKeyLock, agents.DoorKeyUnlock:
		return "turn the key"
	case agents.DoorKeyBreak:
		return "use the shoulder"
	}

	return "nobody knows how"
}
