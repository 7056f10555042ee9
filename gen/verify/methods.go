package verify

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// runHead is the head of the method that runs an agent at a place, which is called place.
func runHead(name, place string) string {
	return "func (a *App) " + name + "(fx runtime.Effects, input string, " + place + " runtime.Place) (runtime.Finish, error)"
}

// entry compares the exported method that runs the agent as an entry point.
func (r *reader) entry() {
	run, runAt := names.Run(r.agent), names.RunAt(r.agent)
	r.writtenFunc("App."+run, `func (a *App) `+run+`(fx runtime.Effects, input string) (runtime.Finish, error) {
		return a.`+runAt+`(fx, input, runtime.Free)
	}`)
}

func values(list []ir.Text) []string {
	var texts []string
	for _, t := range list {
		texts = append(texts, t.Value)
	}

	return texts
}

// textList is how a list of texts is written.
func textList(texts []string) string { return "[]string{" + quoted(texts...) + "}" }

// quoted is how texts are written behind each other.
func quoted(texts ...string) string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = strconv.Quote(text)
	}

	return strings.Join(list, ", ")
}
