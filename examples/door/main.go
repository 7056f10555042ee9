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

// run turns each word into a key and prints the state that it leads to. It returns the exit code: 1 at the first word that
// does not fit the state.
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
	if canLock(state) {
		fmt.Fprintln(stdout, "(it could be locked)")
	}

	return 0
}

// canLock names the key as a constant: take the row out of AGENT.md, and this line no longer compiles.
func canLock(state agents.DoorState) bool {
	_, ok := state.Next(agents.DoorKeyLock)
	return ok
}
