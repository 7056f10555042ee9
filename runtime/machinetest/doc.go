// Package machinetest compares the code of a machine with the table of its source: agentc_gen_test.go calls it.
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
//			Next: func(s CriticState, event string, _ func(string) bool) (CriticState, bool) {
//				key, _ := s.CanonicalKey(" " + event)
//
//				return s.Next(key)
//			},
//		})
//	}
//
// Every state has the name that the source gives it, and is found by that name. It is asked about the events of its own rows, about
// those of other states, at most 100, and about one that no row has. The code has to lead where the table says, and nowhere else.
// Guards are answered by the test: all say no up to one that says yes, each in turn, and at last none. They have to be asked in the
// order of the rows. The guards of a workflow read what its steps gave, and so decide themselves: any of their rows is right.
//
// Nothing is run. agentc simulate runs every row that a run can take, with the agents of the machine.
package machinetest
