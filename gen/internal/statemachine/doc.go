// Package statemachine is the front end for workflows: StateMachine YAML files, with their prompt
// files and imported workflows.
//
// Input: a project ([New]). Output: an agent for each file, whose node is an [ir.Flow]; the
// functions that the workflows call; and every mistake of the user in a [diag.List]. Errors are for
// input and output only.
//
// Agents and workflows can run each other, so all files are read first and then lowered. A workflow
// is lowered after its imports. Its expressions, templates and context paths are lowered last, when
// all steps and their types are known.
//
// The grammar has all forms of the original: a body may be a list of steps, {steps:
// […]} or one step. The schema reports features of the original that this language leaves out.
// Consequences of a mistake are not reported: a step with an undefined agent has no operation
// ([ir.Task] Do is nil), and the type of its output is unknown.
//
// No path leads out of the project: paths of imports and prompts are relative to their file, and
// none goes through a symbolic link.
package statemachine
