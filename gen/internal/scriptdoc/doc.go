// Package scriptdoc converts a script, whose answers replace a model, from YAML into the JSON that
// the runtime reads.
//
// Input: a YAML or JSON file and, if known, the program that the script is for. Output: compact
// JSON in source order, and diagnostics with their exact positions: for the grammar of scripts, and
// for agents, steps, questions and tools that the program does not have. The JSON has the fields of
// the source. Values that YAML would not read as texts (`say: 42`, `key: true`) are texts in it.
//
// The grammar is schema/script.json: a mapping from agents to lists of turns, and the sections
// tools, funcs, ask and guards.
//
//	draft:                                   # an agent; draft@1 in branch 1, blog/critique a step, "*" any other agent
//	  - say: text
//	  - call: [{name: tool, args: {…}}]      # or one call; repeat: n floods; args may be text, sent as it is
//	  - finish: {key: done, value: …}        # or text, sent as it is
//	  - error: {status: 429}                 # and class, message, retry_after; or text
//	  - signal: stop                         # or {kind: stop, value: text}, or a list: comes with the rest of the turn
//	    say: text
//	tools:  {tool: [{result: …}, {error: text}]}
//	funcs:  {function: [{result: …}, {error: text}]}
//	ask:    {question: [answer]}
//	guards: {guard: [true, {ok: false, reason: text}]}
//	"//": a comment
//
// Commands that write scripts, such as simulate, can and dev, add typed answers to a [Script],
// which has them as YAML or JSON.
//
// An agent can have the name tools, funcs, ask or guards. A script cannot answer for such an agent.
package scriptdoc
