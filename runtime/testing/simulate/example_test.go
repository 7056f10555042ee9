package simulate_test

import (
	"context"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// A run without a model. Generated code makes the program; here it is one agent.
func Example() {
	spec := &rt.OneshotSpec{Agent: "poet", Prompt: "Write a haiku."}
	program := &compiled.Program{Entry: "poet", Agents: []compiled.Agent{{
		Name: "poet", Pattern: "oneshot",
		Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			return spec.Run(fx, input)
		},
	}}}

	eng := engine.New(engine.Options{Script: `{"poet": [{"say": "about {{input}}: leaves fall"}]}`})
	fin, err := eng.Run(context.Background(), program, "", "autumn")
	fmt.Println(fin.Key, fin.Value, err)

	_, err = engine.New(engine.Options{Script: `{"poet": []}`}).Run(context.Background(), program, "", "autumn")
	fmt.Println(err)
	// Output:
	// done about autumn: leaves fall <nil>
	// script, "poet": ran out: the list has 0 turns, and agent "poet" asks for one more
}
