// Package machinetest holds the code of a machine against the table of its source: it is what the tests that agentc generates,
// agentc_gen_test.go, are made of.
//
//	func TestCriticMachine(t *testing.T) {
//		machinetest.Check(t, machinetest.Machine[CriticKey, CriticState]{
//			Name: "critic", Initial: "draft",
//			Table: machinetest.Table{
//				"draft":    {{"good-enough", "done"}, {"needs-work", "critique"}},
//				"critique": {{machinetest.Always, "draft"}},
//			},
//			Markers: []string{"done"},
//			Last:    CriticStateDone, ParseState: ParseCriticState,
//			Run:     new(App).RunCritic,
//		})
//	}
//
// # What is asked
//
// Every state is asked about every key of the machine, as it is written, in capitals, and with white space around it, and about
// answers that no row names: unknown and empty ones, a megabyte of text, bytes that are not UTF-8. CanonicalKey has to find the
// row that the table has, Next has to lead where the table says, and Keys has to have the keys in the order of the table. The
// names of states have to come back when they are parsed, and other texts have to be refused. Beyond 250,000 pairs of
// state and key, a state is asked about the keys of its rows and a part of the others, and only 10 states of a machine are asked
// about a megabyte.
//
// # What is run
//
// The machine is then run, from its initial state and through its generated code, until every row of the table has been taken:
// the agent of the state finished with the row's key, and the machine went where the table says. No model is asked. Whatever
// an agent may answer where it stands is read from what its model would be offered, finish and its schema, and one run after
// the other tries another answer, those that need the fewest steps first. So machines within machines, and agents of every
// pattern, finish with the keys that the outer machine routes without a script for any of them. Tools are not called, questions
// of a person are answered, groups run their branches one after another.
//
// Where the compiler knows of rows that no run takes, because an agent never finishes with their keys or no run reaches their
// states, the test logs those that no run has taken ([Machine.Partly]); agentc simulate says why. Runs stop when 30,000 answers have been given, or at an agent for whose output no value could be made up;
// the test then logs which rows are left, and does not fail for them.
//
// # Guards
//
// The test of a machine with guards ([CheckGuarded]) has them in its table, with their priorities. Every state is asked about every
// key as often as there are rows to try: the first guard says yes, the first says no and the second yes, and so on, and all say
// no. Guards have to be asked in their order, and no others; the row that follows has to be taken, and be found as such. What an
// expression comes to does not matter there ([rt.Judge.Suppose]). In runs, named guards say yes in one and no in another,
// expressions what they come to, and each transition is compared with what the guards have said; the test logs which rows were
// not run.
//
// # Machines of workflows
//
// A machine in a workflow has a test too ([CheckSteps]). Each state is asked about each event, in a run that has just begun: it
// has to go where the first row of the source leads that fits. Guards hold or not as they do there, so that a state may go where
// any of its rows leads that has one, up to the first that has none. A next_state has to lead to the state that has its name,
// and any other text has to be refused.
//
// Then the steps of each state are run through the generated code, once with an answer to whatever they ask for, and once for
// each call from which on all calls fail; where the machine goes then has to be where its rows lead. No model, tool or function
// is called. The test logs which rows without a guard were only asked, because the steps of their state did not come out so.
package machinetest
