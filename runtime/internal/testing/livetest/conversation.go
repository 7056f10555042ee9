package livetest

import (
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Question is what the program is asked.
const Question = "Who extended state machines?"

// Answer is what the conversation results in if the tools have answered.
const Answer = "Statecharts add depth and orthogonality to state machines.\n\nHarel: Statecharts (1987)\n" +
	"Built on by: The STATEMATE semantics of statecharts; Practical statecharts in C/C++"

// turns are the replies of the model but for the last one, each after as many of its own.
var turns = []model.Reply{
	newReply("I look for it. ", "start", `{}`, "read_skill", `{"name":"library"}`),
	newReply("Two papers. ", "search_papers", `{"query":"state machine","limit":2}`),
	newReply("", "read_paper", `{"id":"harel-1987"}`, "read_skill", `{"name":"citations"}`),
	newReply("It is Harel's. ", "format_citation", `{"id":"harel-1987"}`, "read_skill", `{"name":"archive"}`),
	newReply("", "archive_cited_by", `{"id":"harel-1987"}`),
}

// newReply returns a reply with calls, of names and arguments in turn, whose ids are the same in
// every turn.
func newReply(text string, calls ...string) model.Reply {
	reply := model.Reply{Text: text, Usage: model.Usage{Input: 1000, Output: 20}}
	for i := 0; i < len(calls); i += 2 {
		reply.Calls = append(reply.Calls, model.ToolCall{ID: "call_" + calls[i], Name: calls[i], Args: calls[i+1]})
	}

	return reply
}

// replyAfter returns the reply after so many earlier replies, and after these results by the ids of
// calls. The last reply repeats the results of the tools.
func replyAfter(said int, results map[string]string) model.Reply {
	if said < len(turns) {
		return turns[said]
	}
	value := "Statecharts add depth and orthogonality to state machines.\n\n" + results["call_format_citation"] +
		"\nBuilt on by: " + titlesIn(results["call_archive_cited_by"])
	args, err := json.Marshal(map[string]string{"key": "done", "value": value})
	if err != nil {
		panic(err) // texts always become JSON
	}

	return newReply("", "finish", string(args))
}

// titlesIn returns the titles of the works in a result of archive_cited_by; the result itself if it
// has none.
func titlesIn(result string) string {
	var cited struct{ Works []struct{ Title string } }
	if err := json.Unmarshal([]byte(result), &cited); err != nil {
		return result
	}
	all := ""
	for i, w := range cited.Works {
		if i > 0 {
			all += "; "
		}
		all += w.Title
	}

	return all
}
