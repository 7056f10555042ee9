package command

import (
	"context"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// addExpected adds to entry points the usage of the ended runs in a store. The store may be nil. A
// run that cannot be read is reported and left out.
func addExpected(c *cli.Call, store journal.Store, program string, entries []cost.Entry) error {
	if store == nil {
		return nil
	}
	runs, err := store.List(context.Background(), journal.Query{Program: program})
	if err != nil {
		return err
	}
	spent := map[string][]cost.Spend{}
	for _, run := range runs {
		read, err := journal.Read(context.Background(), store, run)
		if err != nil {
			printMessage(c, "run %s is not counted: %v", run, err)
			continue
		}
		begin, end := read.Records[0], read.Records[len(read.Records)-1]
		if begin.Value("program") == program && end.Type == journal.End && (end.Name == "done" || end.Name == "failed") {
			agent := begin.Value("agent")
			spent[agent] = append(spent[agent], sumSpending(read))
		}
	}
	for i := range entries {
		entries[i].Expected = cost.NewExpected(spent[entries[i].Name])
	}

	return nil
}

// sumSpending adds up the usage of a run, failed attempts included.
func sumSpending(run *journal.Journal) (s cost.Spend) {
	for _, r := range run.Records {
		if r.Type != journal.Result {
			continue
		}
		switch r.Name {
		case "model":
			s.Calls++
		case "tool":
			s.Tools++
		}
		for _, prefix := range []string{"", "failed_"} {
			for name, into := range map[string]*cost.Amount{"tokens_in": &s.Input, "tokens_out": &s.Output, "cost": &s.Micro} {
				if n, err := strconv.ParseUint(r.Value(prefix+name), 10, 53); err == nil {
					*into += cost.Amount(n)
				}
			}
		}
	}

	return s
}
