// Package machinetest compares the code of a generated machine with the table of its source. The generated file
// agentc_gen_test.go calls it:
//
//	func TestCriticMachine(t *testing.T) {
//		machinetest.Check(t, machinetest.Machine[CriticState]{
//			States: []string{"draft", "critique", "done"},
//			Ends:   []string{"done"},
//			Rows: []machinetest.Row{
//				{"draft", "good-enough", "done"},
//				{"draft", "needs-work", "critique"},
//				{"critique", "*", "draft"},
//			},
//			Parse: ParseCriticState,
//			Next:  machinetest.ByKey(CriticState.CanonicalKey, CriticState.Next),
//			Keys:  machinetest.Keys(CriticState.Keys),
//		})
//	}
//
// Every state must have the name in the source, be found by that name, and have the keys of its rows. For each state,
// [Check] calls Next with the events of its own rows, with those of other states, at most 100, and with one that no
// row has. The code must lead where the table says, and nowhere else. The test answers guards itself: all refuse
// except for one, each in turn, and finally all refuse. They must be called in the order of the rows. The guards of a
// workflow read the outputs of its steps, and so decide themselves: any of their rows is accepted.
//
// No agent runs. agentc simulate runs every row that a run can take, with the agents of the machine.
package machinetest
