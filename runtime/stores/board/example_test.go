package board

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
)

// A step of a machine and a value of the blackboard, each with the head of the record that whoever asked can keep.
func Example() {
	ctx := context.Background()
	b, err := Open(ctx, Options{Program: deskProgram(), Clock: newHandClock().Now})
	if err != nil {
		panic(err)
	}
	defer b.Close()

	request := Request{ID: "desk/42", Attempt: drive.Attempt{Key: "submit", Agent: "rita"}, Identity: "rita"}
	result, err := b.Transition(ctx, request)
	fmt.Println(result.ID, result.Step.From, result.Step.To, result.Head.Seq, err)

	request.Attempt.Seq = 1 // rita has seen it before the step
	result, err = b.Transition(ctx, request)
	fmt.Println(result.Head.Seq, err)

	value, _, err := b.Write(ctx, WriteRequest{Key: "plan", JSON: json.RawMessage(`{"steps": 3}`)})
	fmt.Println(value.Version, err)
	state, _, err := b.Read(ctx, "fsm:desk/42:state")
	fmt.Println(string(state.JSON), err)

	// Output:
	// desk/42 draft review 2 <nil>
	// 3 machine "desk" has made other steps: its sequence number is 2, not 1
	// 4 <nil>
	// "review" <nil>
}
