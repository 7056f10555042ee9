// Package app is the command line of the binary that a project becomes:
//
//	func main() { app.Main(agents.New(tools{})) }
//
// APP run [TASK] runs the entry point, or --agent, and prints the final value alone on stdout; APP graph and APP version tell
// about the program, APP record about the record of machines that others drive. With --script FILE a script answers instead of models, with --json every event is a line of stdout.
//
// Before anything is spent, models, keys and variables of all that the run can reach are checked. On stderr stands a line for
// each transition, tool and step that has ended; a terminal also shows live who works, and in a group how many branches at once.
// Who does something in a branch is called as scripts call it: draft@2. A question is asked on a terminal, and the lines of other
// branches wait until it is answered; elsewhere the run pauses and every question that it waits for is named. The first interrupt stops the run at its next safe point, between
// two effects; the second at once. Exit codes are those of package cli: 4 when a question waits for an answer.
package app
