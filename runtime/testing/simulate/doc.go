// Package simulate runs generated agents without a model: a script contains the replies of models, and of tools and
// people where needed. Use it to test your own agents, and for runs that need no key.
//
//	fx := simulate.New(t, script)
//	fin, err := app.RunRefunds(fx, "I want my money back")
//
// A script is a JSON object (`agentc run --script` also reads the same as YAML). Its members are lists by name:
//
//	{
//	  "draft":        [{"finish": {"key": "needs-work", "value": "A first draft."}},
//	                   {"say": "plain text"}],
//	  "blog/critique": [...],
//	  "researcher@2": [{"call": [{"name": "search_web", "args": {"query": "go"}}]}, {"error": {"status": 429}}],
//	  "*":            [{"finish": {"key": "done", "value": "{{input}}"}}],
//	  "tools":        {"search_web": [{"result": "three hits"}, {"error": "timeout"}]},
//	  "ask":          {"approve": ["yes"]},
//	  "guards":       {"plan-is-good": [false, true]},
//	  "//":           "a comment"
//	}
//
// # Agents
//
// The list of an agent, or of agent/step, has one turn for each reply of a model. The body of an AGENT.md with steps
// has the agent's own name. When an agent is entered again, its list continues after the last turn that was used. In
// a group each branch uses the list from its beginning, and name@2 is the list of branch 2, counted from 0, of the
// nearest group: of the variants of a best-of-n, the items of a scatter, the claims of a chain-of-verification, the
// agents of a parallel or a debate. If a group runs again, each of its branches continues its list. The list "*" is
// for every agent and step without a list of its own; it begins again at every entry, and its turns need not be used.
// The fields of a turn:
//
//   - say: text. "" is an empty reply.
//   - call: one call or a list of them, each {name, args, repeat}. args is JSON, or text that is sent as it is, such
//     as incomplete JSON; repeat makes that many calls of it.
//   - finish: {key, value}, or text that is sent as it is. It follows the turn's calls. A oneshot agent has no tools:
//     its reply is the value, and the key can only be done.
//   - error: text, or {status, class, message, retry_after}; retry_after is in seconds, class one of rate-limit,
//     overloaded, server, network, timeout, auth, quota, too-long, refused, bad-request, other. The turn has no other
//     field. The engine repeats a call that may succeed later, and the repetition uses the next turn; an error at the
//     end of a list is returned for every further call.
//   - signal: a kind, {kind, value}, or a list of them: signals that are sent while the model writes this reply, or
//     fails. The innermost machine or gate around the agent that has a rule receives them at its next safe point;
//     force-stop ends the run at once.
//
// {{input}} in say, args and finish is the input of the agent. There is no other substitution.
//
// # Tools, people, guards
//
// The section tools has the answers of a tool, {result: text or JSON} or {error: text}, by its name; a built-in tool
// has its canonical name or the one with the prefix tama_. Calls that one turn makes in parallel use the answers in
// the order of the calls. Typed tools, functions, guards and the memory tools are executed unless a section has
// answers for them; the other built-in tools are never executed. The section ask has the answers to a question, by
// the name of the human agent or the confirmed tool, or name@i in branch i; the section guards has true, false or
// {ok, reason}.
//
// # Mistakes
//
// A name that the program does not have, a list with too few items, and items that are not used by a run that
// succeeds are a *runtime.ScriptError with the name and the item; so are signals for which there is no rule. A script
// that is compiled into the program may have unused items.
package simulate
