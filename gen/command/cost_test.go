package command

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Beside the bound are the median and the 95 % of the runs in the store: of this program and agent,
// with the attempts that failed. Runs of others are not counted, and one that is damaged is named.
func TestCostOfRuns(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	dir := unpack(t, t.TempDir(), "-- agentc.yaml --\nentrypoint: poet\nmodels: {default: {name: \"ollama:small\", max_tokens: 100}}\n"+
		"-- agents/poet/AGENT.md --\n---\nname: poet\ndescription: Writes.\nversion: \"1\"\npattern: oneshot\n---\nWrite.\n")
	store := filepath.Join(dir, ".agentc", "runs")
	for i := range 20 {
		keepRun(t, store, fmt.Sprintf("run-%d", i), "poet", "poet", i+1)
	}
	keepRun(t, store, "other-program", "desk", "poet", 100)
	keepRun(t, store, "other-agent", "poet", "desk", 100)
	agentc(dir, "", "cost").want(t, cli.Done, "median of 20 runs              10      0        101")
	agentc(dir, "", "cost").want(t, cli.Done, "95 % of them                   19      0        191")

	damaged := filepath.Join(store, "run-3.journal")
	content, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 0x01
	if err := os.WriteFile(damaged, content, 0o600); err != nil {
		t.Fatal(err)
	}
	agentc(dir, "", "cost", "--store", ".agentc/runs").want(t, cli.Done, "of 19 runs")
	agentc(dir, "", "cost", "--store", "nothing").want(t, cli.Usage, "", "--store nothing does not exist")
}

// keepRun writes the journal of a run that has made some calls, one of which has failed first.
func keepRun(t *testing.T, store, run, program, agent string, calls int) {
	t.Helper()
	fields := func(pairs ...string) (all []journal.Field) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, journal.Field{Name: pairs[i], Value: pairs[i+1]})
		}
		return all
	}
	begin := journal.Record{Name: run, Time: time.Unix(1, 0).UTC(), Fields: fields("program", program, "agent", agent)}
	w, err := journal.Create(t.Context(), journal.Files(store), run, begin)
	if err != nil {
		t.Fatal(err)
	}
	for i := range calls {
		spent := fields("tokens_in", "10", "tokens_out", "2")
		if i == 0 {
			spent = append(spent, fields("failed_tokens_in", "1")...)
		}
		address := fmt.Sprint(i + 1)
		w.Append(journal.Record{Type: journal.Intent, Time: time.Unix(2, 0).UTC(), Address: address, Name: "model"})
		w.Append(journal.Record{Type: journal.Result, Time: time.Unix(3, 0).UTC(), Address: address, Name: "model", Fields: spent})
	}
	w.Append(journal.Record{Type: journal.End, Time: time.Unix(4, 0).UTC(), Name: "done"})
	if err := w.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// A limit of agentc.yaml that is not kept is an error, and does not stop the reports that say what
// is most of it, and what changed it.
func TestReportsOfLimits(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	dir := unpack(t, t.TempDir(), "-- agentc.yaml --\nentrypoint: poet\nmodels: {default: {name: \"openai:small\", max_tokens: 100}}\n"+
		"-- prices.yaml --\nas_of: 2026-11-01\nopenai:small: {input: 1, output: 1}\n"+
		"-- agents/poet/AGENT.md --\n---\nname: poet\ndescription: Writes.\nversion: \"1\"\npattern: oneshot\n---\nWrite.\n")
	commit(t, dir, "one")
	agentc(dir, "", "cost").want(t, cli.Done, "poet: at least 1 call of models")
	agentc(dir, "", "diff", "HEAD").want(t, cli.Done, "cost of a run, at most")

	edit(t, filepath.Join(dir, "agentc.yaml"), "entrypoint: poet", "max_cost: 0.000001\nentrypoint: poet")
	agentc(dir, "", "check").want(t, cli.Problem, "max-cost")
	agentc(dir, "", "cost").want(t, cli.Problem, "poet: at least 1 call of models", "[max-cost]")
	agentc(dir, "", "can").want(t, cli.Problem, "poet", "[max-cost]")
	agentc(dir, "", "diff", "HEAD").want(t, cli.Problem, "cost of a run, at most", "[max-cost]")
	commit(t, dir, "two")
	agentc(dir, "", "diff", "HEAD", "HEAD~1").want(t, cli.Done, "cost of a run, at most", "[max-cost]") // the newer one keeps its limits

	edit(t, filepath.Join(dir, "agents", "poet", "AGENT.md"), "oneshot", "oneshoot")
	agentc(dir, "", "cost").want(t, cli.Problem, "")
	agentc(dir, "", "diff", "HEAD").want(t, cli.Problem, "")
}
