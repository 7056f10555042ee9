// Package app is the command line of a compiled project. A main function hands it the generated
// application, and the binary can run, resume and inspect the project's agents:
//
//	func main() { app.Main(agents.New(tools{})) }
//
// APP run [TASK] runs the entry point, or the agent of --agent, and prints only the final value to
// stdout. APP runs, resume, answer, cancel and fork work on runs that were started before; APP
// graph and APP version describe the program. Parts add commands, such as APP serve. With --script
// FILE a script answers instead of models; with --json every event is a line of stdout.
//
// Before a run spends anything, the models, keys and variables of all agents that it can reach are
// checked. On stderr there is a line for each transition, tool and step that has ended; on a
// terminal, a panel below them shows the machines, the active agents, what a model writes, and what
// the run has cost. An agent in a branch has the same name as in scripts: draft@2. A question is
// asked on the terminal, and output of other branches waits until it is answered; without a
// terminal the run pauses, and each question is printed with the command line that answers it. The
// first interrupt stops the run at its next safe point, between two effects; the second cancels the
// effects under way. The exit codes are the ones of package cli: 4 if a question waits for an
// answer. Runs are recorded in journals, below the working directory unless --store names another
// store; the README of this package describes how to resume them.
package app
