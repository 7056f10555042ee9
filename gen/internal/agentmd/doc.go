// Package agentmd is the front end for projects of AGENT.md files: it finds the files of a project, has them parsed and
// validated, and lowers them to an [ir.Program].
//
// Input: a file system whose root is the project folder. Output: a program in which every name that was written is
// resolved where it can be, and every mistake of the user in a [diag.List]. An error is for input and output only.
//
// What is read:
//
//	agents/<name>/AGENT.md     an agent
//	agents/<name>/<step>.md    the step files that its pattern has, and no other files
//	skills/<name>/SKILL.md     a skill
//	agentc.yaml, tama.toml     the config; of two, agentc.yaml counts, and both are validated
//	workflows/<name>.yaml      a workflow, see package statemachine; <name>.script.json runs it on its own
//	FILE                       a script that a model names as script:FILE
//
// A folder below agents or skills without its AGENT.md or SKILL.md is passed over on purpose, because the generated Go
// and its subpackages may lie there too; a file that differs from these names only in case, or in .yml for .yaml, is a
// finding. Entries that begin with a dot are not looked at. Symbolic links to folders and files are followed, one level
// deep, so they cannot make a circle; a script file must not be reached through one, since its text is compiled in by name.
//
// An fsm becomes a machine, react and oneshot a single conversation, and every other pattern a flow: a file pattern_*.go
// says of each which steps it has and what happens, and nothing else.
//
// A gate of a react loop is a machine too, whose keys are tools. The guards of all machines are understood last, when it
// is known what the agents give: one that is a name becomes a method of Guards, any other an expression, read by package
// expr in a scope of its own.
//
// A file that cannot be understood still gives an agent or a skill with its folder's name and nothing in it, so that
// references to it are no findings of their own.
package agentmd
