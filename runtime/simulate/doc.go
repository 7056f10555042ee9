// Package simulate answers from a script instead of a model: for the tests of users, and for runs that need no key.
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
// An agent's list, or agent/step's, holds its turns: each is one reply of a model. The body of an AGENT.md that has steps stands
// under the agent's own name. A list goes on where it stopped when the agent is entered again. In a group each branch plays the
// list from its start, and name@2 is the list of the branch 2, counted from 0, of the nearest group: of the variants of a
// best-of-n, the items of a scatter, the claims of a chain-of-verification, the agents of a parallel or a debate. A group that
// runs again goes on in each branch. The list under "*" is for every agent and step without turns of its own; it is played from
// its start at every entry, and never left over. The fields of a turn:
//
//   - say: text. "" is an empty reply.
//   - call: one call or a list of them, each {name, args, repeat}. args is JSON, or text that is sent as it is, half JSON say;
//     repeat makes that many calls of it.
//   - finish: {key, value}, or text that is sent as it is. It comes after the turn's calls. To a oneshot agent, which
//     has no tools, the value is said; its key can only be done.
//   - error: text, or {status, class, message, retry_after}; retry_after is in seconds, class one of rate-limit, overloaded, server,
//     network, timeout, auth, quota, too-long, refused, bad-request, other. It stands alone. The engine repeats what may succeed
//     later, and the repetition takes the next turn; an error at the end of a list stays.
//   - signal: a kind, {kind, value}, or a list of them: signals that come while the model gives this reply, or fails. They go to the
//     innermost machine or gate around the agent that has a rule, which hears of them at its next safe point; force-stop
//     ends the run at once.
//
// {{input}} in say, args and finish is the input that the agent was given. There is no other substitution.
//
// # Tools, people, guards
//
// Under tools stand the answers of a tool, {result: text or JSON} or {error: text}; a built-in tool has its canonical name or the
// one with tama_. Calls that a turn makes in parallel take their answers in the order of the calls. Typed tools, functions,
// guards and the memory tools run for real unless a section answers for them; the other built-in tools never run. Under ask stand
// the answers to a question, by the name of the human agent or the confirmed tool, or name@i in branch i; under guards true, false
// or {ok, reason}.
//
// # Mistakes
//
// A name that the program does not have, a list that runs out, and items that are left over at the end of a run that succeeded
// are a *runtime.ScriptError that says where; so are signals for which there is no rule. Of a script that is compiled in, items may be
// left over.
package simulate
