package app

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/nearest"
)

func runsCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "runs", Args: "[show RUN|watch [RUN]|export RUN|prune]", Max: 2,
		Summary: "list or watch runs, show what one did, make a recording of it, or remove old ones",
		Help: `Without arguments: a line for each run, the newest first, with its status and what it waits for, as wide as the terminal.

show RUN draws the path that a run took: agents, effects with what they cost, decisions with the rows that were not taken, retries,
repairs, and who answered. RUN is a run's name, the beginning of one, or last. Values are shortened, unless --full. With --at ADDRESS
--request it prints what the model was asked at ADDRESS, which show prints behind #: the system prompt, the messages and the tools that
it was offered; with --request --json and no address, each request of the run. This needs the program of the run, as export does: journals do not have the prompts.

watch prints the list, and again whenever it changes; watch RUN what the run does, until it has ended.

export RUN adds what the run has asked models, and what they have answered, to the recording of -o, for --replay and replay:FILE.

prune removes runs that are done and have not changed for 30 days, or for --older; with --keep N the newest N stay in any case. --all
removes those that failed, wait or were cancelled or interrupted, too. No run is removed that a process works on.`,
		Example: p.Name + " runs --status paused\n" + p.Name + " runs show last\n" + p.Name + " runs show last --at 2 --request\n" + p.Name + " runs export last -o run.jsonl\n" + p.Name + " runs prune --older 7d --dry-run",
		Flags: []cli.Flag{
			{Name: "json", Help: "print a JSON object a run; with show, one for each record of its journal, or the request"},
			{Name: "status", Value: "STATUS", Choices: runStates, Help: "only runs that are so"},
			{Name: "agent", Value: "NAME", Help: "only runs of this agent"},
			{Name: "since", Value: "TIME", Help: "only runs that were started in the last 12h, 30d or so"},
			{Name: "full", Help: "show: do not shorten values"},
			{Name: "at", Value: "ADDRESS", Help: "show: the request to a model that --request prints"},
			{Name: "html", Value: "FILE", Help: "show: write a page for a browser, with a diagram, a waterfall and each turn"},
			{Name: "compare", Value: "RUN2", Help: "show: compare with another run on the page of --html"},
			{Name: "request", Help: "show: print what the model was asked at the address of --at"},
			{Name: "o", Value: "FILE", Help: "export: the recording"},
			{Name: "older", Value: "TIME", Help: "prune: not changed for so long, such as 12h or 30d"},
			{Name: "keep", Value: "N", Help: "prune: keep the newest N"},
			{Name: "all", Help: "prune: runs that are not done, too"},
			{Name: "dry-run", Help: "prune: only say what would be removed"},
			StoreFlag(),
		},
		Run: func(c *cli.Call) int { return RunsCall{c, p}.Runs() },
	}
}

// flagsOf are the flags of runs that belong to one of its words; the others are for all.
var flagsOf = map[string][]string{
	"":         {"status", "agent", "since"},
	"show":     {"full", "at", "request", "html", "compare"},
	"watch":    {"status", "agent", "since", "full"},
	wordExport: {"o"},
	"prune":    {"status", "older", "keep", "all", "dry-run"},
}

// RunsCall is a call of a command about runs. Its methods need the journals of the runs; Program is the program, as
// far as it is known, or nil.
type RunsCall struct {
	Call    *cli.Call
	Program *compiled.Program
}

// Known reports whether the first argument of runs, if there is one, is a subcommand.
func (r RunsCall) Known() bool {
	_, known := flagsOf[r.word()]

	return known
}

func (r RunsCall) word() string {
	if len(r.Call.Args) == 0 {
		return ""
	}

	return r.Call.Args[0]
}

// wordExport is the word of runs that makes a recording.
const wordExport = "export"

// NeedsProgram reports whether runs, with these arguments, needs the program of the run, and not only its journal.
func (r RunsCall) NeedsProgram() bool {
	c := r.Call

	return len(c.Args) > 1 && (c.Args[0] == wordExport && c.On("o") || c.Args[0] == "show" && c.On("request") && (c.On("at") || c.On("json")))
}

// Runs is the command runs. It uses the name, the shape and the diagrams of the program, and all of it if
// NeedsProgram reports so.
func (r RunsCall) Runs() int {
	c, p, word := r.Call, r.Program, r.word()
	allowed, known := flagsOf[word]
	switch {
	case !known:
		return c.Usagef("runs, runs show RUN, runs watch, runs export RUN or runs prune? %q is none of these%s", word, showInstead(word))
	case (word == "show" || word == "export") && len(c.Args) < 2:
		return c.Usagef("which run? %s lists them; the newest is last", c.Program.Called("runs"))
	case c.On("compare") && !c.On("html"):
		return c.Usagef("a comparison is a page: name its file with --html FILE")
	case word == "show" && c.On("request") && !c.On("at") && !c.On("json"):
		return c.Usagef("which request? Name the address with --at ADDRESS; %s prints it behind #", c.Program.Called("runs", "show", c.Args[1]))
	case word == "show" && c.On("at") && !c.On("request"):
		return c.Usagef("what is to be shown there? --at needs --request, which prints what the model was asked")
	case word == "export" && !c.On("o"):
		return c.Usagef("where does the recording go? Name its file with -o FILE")
	case word == "prune" && len(c.Args) > 1:
		return c.Usagef("%q is one argument too many", c.Args[1])
	}
	for _, flags := range flagsOf {
		for _, flag := range flags {
			if c.On(flag) && !slices.Contains(allowed, flag) {
				return c.Usagef("%s does not belong to runs %s", cli.Flag{Name: flag}.Dashed(), word)
			}
		}
	}
	store, code, ok := wantStore(c, p)
	if !ok {
		return code
	}

	if c.On("html") {
		return showPage(c, p, store, c.Args[1])
	}
	if c.On("request") {
		return showRequest(c, p, store, c.Args[1])
	}
	switch word {
	case "show":
		return showRun(c, p, store, c.Args[1])
	case "watch":
		return watchRuns(c, p, store)
	case wordExport:
		return exportRun(c, p, store, c.Args[1])
	case "prune":
		return pruneRuns(c, store)
	}

	return listRuns(c, p, store)
}

// showInstead suggests show, export or prune to a caller who wrote something else there.
func showInstead(word string) string {
	if near, ok := nearest.Name(word, []string{"show", "watch", "export", "prune"}); ok {
		return " (did you mean " + near + "?)"
	}

	return ""
}
