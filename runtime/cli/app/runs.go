package app

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/text/nearest"
)

func runsCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "runs", Args: "[show RUN|watch [RUN]|export RUN|prune]", Max: 2,
		Summary: "list, watch, show, export or remove runs",
		Help: `Without arguments, prints a line for each run, newest first, with its status and what it waits for.

show RUN prints the path that a run took: agents, effects and their cost, decisions with the rows that were not taken, retries,
corrections, and who answered. Values are shortened, unless --full is given. With --json it prints the run as an object, as the list
does; with --records it prints an object for each record of the journal. ` + aboutRuns + ` With --at ADDRESS --request it prints what
the model was asked at ADDRESS, which show prints after a #: the system prompt, the messages and the tools that the model was offered.
With --request --json and no address it prints every request of the run. Both need the program of the run, as export does, because
journals do not contain the prompts.

watch prints the list whenever it changes; watch RUN prints what a run does until it ends.

export RUN adds what the run asked models, and what they answered, to the recording that -o names, for --replay and replay:FILE.

prune removes runs that are done and have not changed for 30 days, or for the time of --older; --keep N keeps the newest N. --all also
removes runs that failed, wait, or were cancelled or interrupted. Running runs are never removed.`,
		Example: p.Name + " runs --status paused\n" + p.Name + " runs show last\n" + p.Name + " runs show last --at 2 --request\n" + p.Name + " runs export last -o run.jsonl\n" + p.Name + " runs prune --older 7d --dry-run",
		Flags: []cli.Flag{
			{Name: "json", Help: "print a JSON object per run; with --request, the request"},
			{Name: "status", Value: "STATUS", Choices: runStates, Help: "only runs with this status"},
			{Name: "agent", Value: "NAME", Help: "only runs of this agent"},
			{Name: "since", Value: "TIME", Help: "only runs started within this time, such as 12h or 30d"},
			{Name: "full", Help: "show: do not shorten values"},
			{Name: "at", Value: "ADDRESS", Help: "show: the address whose request --request prints"},
			{Name: "html", Value: "FILE", Help: "show: write a page for browsers, with a diagram, a time line and each turn"},
			{Name: "compare", Value: "RUN2", Help: "show: compare the run with RUN2 on the page"},
			{Name: "records", Help: "show: print a JSON object per record of the journal"},
			{Name: "request", Help: "show: print what the model was asked at --at"},
			{Name: "o", Value: "FILE", Help: "export: the file of the recording"},
			{Name: "older", Value: "TIME", Help: "prune: not changed for this time, such as 12h or 30d"},
			{Name: "keep", Value: "N", Help: "prune: keep the newest N"},
			{Name: "all", Help: "prune: also runs that are not done"},
			{Name: "dry-run", Help: "prune: only print what would be removed"},
			storeFlag(),
		},
		Run: func(c *cli.Call) error { return RunsCall{c, p}.Runs() },
	}
}

// flagsOf are the flags of runs that belong to one of its words; the others are for all.
var flagsOf = map[string][]string{
	"":         {"status", "agent", "since"},
	"show":     {"full", "at", "records", "request", "html", "compare"},
	"watch":    {"status", "agent", "since", "full"},
	wordExport: {"o"},
	"prune":    {"status", "older", "keep", "all", "dry-run"},
}

// RunsCall is a call of a command about runs. Its methods need the journals of the runs; Program is
// the program, as far as it is known, or nil.
type RunsCall struct {
	Call    *cli.Call
	Program *compiled.Program
}

// Known reports whether the first argument of runs, if there is one, is a subcommand.
func (r RunsCall) Known() bool {
	_, known := flagsOf[r.Call.Arg(0)]

	return known
}

// wordExport is the word of runs that makes a recording.
const wordExport = "export"

// NeedsProgram reports whether runs, with these arguments, needs the program of the run, and not
// only its journal.
func (r RunsCall) NeedsProgram() bool {
	c := r.Call
	if len(c.Args) < 2 {
		return false
	}
	switch c.Args[0] {
	case wordExport:
		return c.On("o")
	case "show":
		return c.On("request") && (c.On("at") || c.On("json"))
	}

	return false
}

// Runs is the command runs. It uses the name, the shape and the diagrams of the program, and all of
// it if NeedsProgram reports so.
func (r RunsCall) Runs() error {
	c, p, word := r.Call, r.Program, r.Call.Arg(0)
	allowed, known := flagsOf[word]
	switch {
	case !known:
		near := nearest.DidYouMean(word, []string{"show", "watch", "export", "prune"})
		return c.Usagef("runs, runs show RUN, runs watch, runs export RUN or runs prune? %q is none of these%s", word, near)
	case (word == "show" || word == "export") && len(c.Args) < 2:
		return c.Usagef("which run? %s lists them; \"last\" names the newest run", c.Program.Called("runs"))
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
	store, err := wantStore(c, p)
	if err != nil {
		return err
	}

	run := ""
	if len(c.Args) > 1 {
		run, err = pickRun(c, p, store, c.Args[1])
		if err != nil {
			return err
		}
	}
	switch {
	case r.NeedsProgram() && p == nil:
		return c.Errorf(cli.Problem, "the prompts of run %s are in its program, and no binary of that is available", run)
	case c.On("html"):
		return showPage(c, p, store, run)
	case c.On("request"):
		return showRequest(c, p, store, run)
	case word == "show":
		return showRun(c, p, store, run)
	case word == "watch":
		return watchRuns(c, p, store, run)
	case word == wordExport:
		return exportRun(c, p, store, run)
	case word == "prune":
		return pruneRuns(c, store)
	}

	return listRuns(c, p, store)
}
