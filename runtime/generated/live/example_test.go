package live_test

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
)

// steer fires keys of a machine of any kind until none is left, and tells which were refused.
func steer(m drive.Machine, keys ...string) {
	for _, key := range keys {
		before := m.Current()
		if err := m.FireKey(key); err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s: %s -> %s\n", m.Name(), before, m.Current())
	}
}

// Machines of different kinds stand in one slice: generated ones are made by functions such as NewDoorMachine.
func ExampleMachine() {
	timed, _ := newTimed()
	machines := []drive.Machine{newDoor(nil), timed, loopOf("s0").machine()}
	for _, m := range machines {
		steer(m, "lock", "go")
	}
	// Output:
	// door: closed -> locked
	// machine "door", state "locked": no row for key "go"; valid keys: "unlock", "break"
	// machine "door", state "closed": a caller without a name may not fire key "lock"
	// machine "door", state "closed": no row for key "go"; valid keys: "open", "lock"
	// machine "model", state "s0": no row for key "lock"; valid keys: "go"
	// model: s0 -> s0
}

// loopOf is a machine of one state that leads to another one.
func loopOf(to string) table {
	t := make(table, 1)
	t[0].rows, t[0].order = map[string]string{"go": to}, []string{"go"}

	return t
}
