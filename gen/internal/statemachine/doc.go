// Package statemachine is the front end for workflows: StateMachine YAML files, with the prompts that they name and the
// other workflows that they import.
//
// Input: a project ([New]). Output: an agent for each file whose node is an [ir.Flow], the functions that they call, and every
// mistake of the user in a [diag.List]. An error is for input and output only.
//
// It happens in two steps, because agents and workflows can run each other: first all files are read, so that each
// is known by name, then each is lowered. A workflow is lowered after those that it imports, and its expressions,
// templates and places in the context after everything else in it: only then it is known which steps there are and what
// they give.
//
// The grammar is that of the original, with all its forms: a body may be a list of steps, {steps: […]} or one step.
// What the original knows and this language leaves out is said by the schema. What follows from a mistake is not
// reported: a step whose agent does not exist has no work ([ir.Task] Do is nil), and nothing is known of its output.
//
// No path leads out of the project: those of imports and of prompts are relative to their file, and none goes through a
// symbolic link.
package statemachine
