package contest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/looplab/fsm"
	"github.com/qmuntal/stateless"

	"github.com/agentc-dev/agentc/examples/door/agents"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
)

// looplabDoor is examples/door with looplab/fsm.
func looplabDoor() *fsm.FSM {
	return fsm.NewFSM("closed", fsm.Events{
		{Name: "open", Src: []string{"closed"}, Dst: "opened"},
		{Name: "knock", Src: []string{"closed"}, Dst: "opened"},
		{Name: "lock", Src: []string{"closed"}, Dst: "locked"},
		{Name: "close", Src: []string{"opened"}, Dst: "closed"},
		{Name: "slam", Src: []string{"opened"}, Dst: "locked"},
		{Name: "unlock", Src: []string{"locked"}, Dst: "closed"},
		{Name: "break", Src: []string{"locked"}, Dst: "broken"},
	}, fsm.Callbacks{})
}

// statelessDoor is examples/door with stateless.
func statelessDoor() *stateless.StateMachine {
	door := stateless.NewStateMachine("closed")
	door.Configure("closed").Permit("open", "opened").Permit("knock", "opened").Permit("lock", "locked")
	door.Configure("opened").Permit("close", "closed").Permit("slam", "locked")
	door.Configure("locked").Permit("unlock", "closed").Permit("break", "broken")

	return door
}

// generatedDoor is what the page of examples/door shows of a live machine.
func generatedDoor(t *testing.T) {
	door := agents.NewDoorMachine()
	cancel := door.Subscribe(func(s drive.Step) { fmt.Println(s.From, s.Key, s.To) })
	defer cancel()
	if _, err := door.Fire(agents.DoorKeyOpen); err != nil {
		t.Fatal(err) // *runtime.InvalidTransitionError: the state, the key, and the keys of the state
	}
	saved, err := door.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again := agents.NewDoorMachine()
	if err := again.Restore(saved); err != nil || again.State() != agents.DoorStateOpened {
		t.Error(again.State(), err)
	}
}

// TestDoors: the three doors accept and refuse the same keys, and are in the same state after each.
func TestDoors(t *testing.T) {
	generatedDoor(t)
	keys := []string{"open", "knock", "lock", "close", "slam", "unlock", "break"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		generated, library, other := agents.NewDoorMachine(), looplabDoor(), statelessDoor()
		for range 20 {
			key := keys[random.IntN(len(keys))]
			err, errLibrary, errOther := generated.FireKey(key), library.Event(t.Context(), key), other.Fire(key)
			if (err == nil) != (errLibrary == nil) || (err == nil) != (errOther == nil) {
				t.Fatalf("%s: %v, %v, %v", key, err, errLibrary, errOther)
			}
			if got := generated.Current(); got != library.Current() || got != other.MustState() {
				t.Fatalf("%s: %s, %s, %v", key, got, library.Current(), other.MustState())
			}
		}
	}
}
