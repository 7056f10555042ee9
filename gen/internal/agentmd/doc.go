// Package agentmd is the front end for agents and skills: it finds their folders, has the files parsed and validated, and lowers
// them to the program.
//
// What is read:
//
//	agents/<name>/AGENT.md     an agent
//	agents/<name>/<step>.md    the step files that its pattern has, and no other files
//	skills/<name>/SKILL.md     a skill, with the files of its folder
//	agentc.lock                what is pinned of the servers that skills name
//
// A folder below agents or skills without its AGENT.md or SKILL.md is passed over on purpose, because the generated Go and its
// subpackages may be there too; a file that differs from these names only in case is reported.
//
// An fsm becomes a machine, react and oneshot a single conversation, and every other pattern a flow: a function of pattern.go
// says of each which steps it has and what happens, and nothing else.
//
// A gate of a react loop is a machine too, whose keys are tools. The guards of all machines are understood last, when it
// is known what the agents give: one that is a name becomes a method of Guards, any other an expression, read by package
// expr in a scope of its own.
//
// A file that cannot be understood still gives an agent or a skill with its folder's name and nothing in it, so that
// references to it are not diagnostics of their own.
package agentmd
