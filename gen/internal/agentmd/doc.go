// Package agentmd is the front end for agents and skills: it finds their folders, parses and
// validates their files, and lowers them to the program.
//
// It reads:
//
//	agents/<name>/AGENT.md     an agent
//	agents/<name>/<step>.md    the step files of its pattern, and no other files
//	skills/<name>/SKILL.md     a skill, with the files of its folder
//	agentc.lock                the pinned tools of the servers that skills name
//
// It skips folders below agents or skills without an AGENT.md or SKILL.md, because the generated Go
// and its subpackages may be there too. It reports a file whose name differs in case only.
//
// An fsm becomes a machine, react and oneshot a single conversation, and every other pattern a
// flow. Each flow has a function in pattern.go that defines its steps and their order.
//
// The gate of a react loop is a machine too. Its keys are tools. The guards of all machines are
// lowered last, when the types of the agents' values are known. A guard that is a name becomes a
// method of Guards. Package expr parses all other guards.
//
// A file with errors still becomes an agent or a skill with the name of its folder, so that
// references to it are not reported.
package agentmd
