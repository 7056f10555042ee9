// Package app is the command line of the binary that a project becomes:
//
//	func main() { app.Main(agents.New(tools{})) }
//
// APP run [TASK] runs the entry point, or --agent, and prints the final value alone on stdout; APP runs, resume, answer, cancel and
// fork have to do with runs that were started before; APP graph and APP version tell about the program, APP record about the record
// of machines that others drive. With --script FILE a script answers instead of models, with --json every event is a line of stdout.
//
// Before anything is spent, models, keys and variables of all that the run can reach are checked. On stderr stands a line for
// each transition, tool and step that has ended; on a terminal a panel below them shows the machines, who works, what a model
// writes, and what the run has cost. Who does something in a branch is called as scripts call it: draft@2. A question is asked on
// a terminal, and the lines of other branches wait until it is answered; elsewhere the run pauses, and each question is named
// with the command line that answers it. The first interrupt stops the run at its next safe point, between two effects; the
// second breaks off what is under way. Exit codes are those of package cli: 4 when a question waits for an answer. What runs do
// is kept in journals, below the working directory unless --store says otherwise; README.md beside it tells how they go on.
package app
