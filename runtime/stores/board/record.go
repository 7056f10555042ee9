package board

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
)

// RecordCommand returns the command record, which verifies or shows the audit log of a board. The part mcp has it; a
// binary without that, whose Go opens a board, adds it to app.Options. program is the name of the program.
func RecordCommand(program string) *cli.Command {
	return &cli.Command{
		Name: "record", Args: "verify|show", Max: 1,
		Summary: "verify or show the audit log of machines and the blackboard",
		Help: `verify reads the whole audit log and prints its head: the number and the hash of its last entry. It exits with 1 if a byte
was changed, a line was removed or replaced, or a hash was removed. With --anchor, a head that was saved earlier, it also detects
truncation, and a log that was rewritten.

show prints a line for each entry.`,
		Example: program + " record verify > head.json\n" + program + " record verify --anchor head.json\n" +
			program + " record show --id delivery/42",
		Flags: []cli.Flag{
			{Name: "store", Value: "DIR", Help: "the folder of the audit log; default: " + audit.DefaultDir},
			{Name: "anchor", Value: "FILE", Help: "a head that was saved earlier, as JSON"},
			{Name: "id", Value: "ID", Help: "show the entries of this machine only"},
		},
		Run: recordRun,
	}
}

func recordRun(c *cli.Call) error {
	what := strings.Join(c.Args, "")
	switch {
	case what != "verify" && what != "show":
		return c.Usagef("verify or show?")
	case what == "show" && c.On("anchor"):
		return c.Usagef("--anchor belongs to verify")
	case what == "verify" && c.On("id"):
		return c.Usagef("--id belongs to show: the entries of all machines are one chain")
	}
	anchor, err := readAnchor(c)
	if err != nil {
		return err
	}
	store := cmp.Or(c.Flag("store"), audit.DefaultDir)

	var show func(audit.Entry) error
	if what == "show" {
		show = func(e audit.Entry) error { return showEntry(c, e) }
	}
	head, err := audit.VerifyFolder(context.Background(), c.Path(store), anchor, show)
	if err == nil && what == "verify" {
		err = json.NewEncoder(c.Stdout).Encode(head)
	}

	return recordEnd(c, store, err)
}

// recordEnd is the error of the command for one of the audit log, which may be nil.
func recordEnd(c *cli.Call, store string, err error) error {
	var damaged *audit.DamagedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c.Usagef("there is no record in %s (choose the folder with --store)", store)
	case errors.As(err, &damaged):
		relative := *damaged
		relative.Path = c.Rel(damaged.Path)
		return c.Errorf(cli.Problem, "entry %d: %s", damaged.Seq, cells.Clean(relative.Error()))
	}

	return err
}

// readAnchor returns nil if there is none.
func readAnchor(c *cli.Call) (*audit.Head, error) {
	if !c.On("anchor") {
		return nil, nil
	}
	text, err := c.ReadFlag("anchor")
	if err != nil {
		return nil, err
	}
	var anchor audit.Head
	if err := json.Unmarshal(text, &anchor); err != nil {
		return nil, c.Usagef("--anchor %s: it is not the head of a record: %w", c.Flag("anchor"), err)
	}
	if anchor.Seq == 0 || len(anchor.Hash) != 64 {
		return nil, c.Usagef(`--anchor %s: it is not the head of a record, such as {"seq":7,"hash":"…"}`, c.Flag("anchor"))
	}

	return &anchor, nil
}

// showEntry prints an entry on a line.
func showEntry(c *cli.Call, e audit.Entry) error {
	if c.On("id") && e.ID != c.Flag("id") {
		return nil
	}
	parts := []string{fmt.Sprint(e.Seq), e.Time.Format(time.RFC3339), string(e.Kind)}
	switch e.Kind {
	case audit.Create:
		parts = append(parts, e.ID+": "+e.To)
	case audit.Transition:
		parts = append(parts, e.ID+": "+describeStep(e))
	case audit.Ack:
		parts = append(parts, e.ID+": "+e.Value)
	default:
		parts = append(parts, e.Key)
	}
	if who := whoAsked(e); who != "" {
		parts = append(parts, "by "+who)
	}
	if e.Result != audit.Accepted {
		parts = append(parts, string(e.Result)+": "+e.Error)
	}
	_, err := io.WriteString(c.Stdout, cells.Clean(strings.Join(parts, " "))+"\n")

	return err
}

// describeStep shows a step, or what was asked for.
func describeStep(e audit.Entry) string {
	to := e.To
	if to == "" && e.Result == audit.Accepted {
		to = "end"
	}

	return strings.TrimSpace(e.From + " --" + e.Key + "--> " + to)
}

// whoAsked is who did by the credential, and by its own account where that is another.
func whoAsked(e audit.Entry) string {
	switch {
	case e.Identity == "" && (e.Agent == "" || e.Agent == drive.AgentTimer):
		return e.Agent
	case e.Identity == "":
		return e.Agent + " (without credential)"
	case e.Agent == "" || e.Agent == e.Identity:
		return e.Identity
	}

	return e.Identity + " as " + e.Agent
}
