package app

import (
	"context"
	"io"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// showRequest prints what a model was asked at an address of a run.
func showRequest(c *cli.Call, p *compiled.Program, store journal.Store, run string) error {
	if !c.On("at") {
		return showRequests(c, p, store, run)
	}
	request, err := core.New(core.Config{Store: store}).Request(context.Background(), p, run, c.Flag("at"))
	if err != nil {
		return runError(c, err)
	}
	if c.On("json") {
		of := page.Run{ID: run}
		of.AddTurn(c.Flag("at"), request)
		return printLines(c.Stdout, of.Turns)
	}
	_, err = io.WriteString(c.Stdout, requestText(request))

	return err
}

// showRequests prints what models were asked in a run, as JSON lines.
func showRequests(c *cli.Call, p *compiled.Program, store journal.Store, run string) error {
	turns, err := turnsOf(p, store, run)
	if printed := printLines(c.Stdout, turns); printed != nil {
		return printed
	}
	if err != nil {
		return runError(c, err)
	}

	return nil
}

// turnsOf is what models were asked in a run. With an error it is what they were asked before that.
func turnsOf(p *compiled.Program, store journal.Store, run string) ([]page.Turn, error) {
	of := page.Run{ID: run, Turns: []page.Turn{}}
	err := core.New(core.Config{Store: store}).Requests(context.Background(), p, run, of.AddTurn)

	return of.Turns, err
}

// requestText is a request to a model for people to read: a heading for each of its parts, and
// their texts indented.
func requestText(r *model.Request) string {
	var b strings.Builder
	part := func(heading string, texts ...string) {
		b.WriteString(cells.Clean(heading) + "\n")
		for _, text := range texts {
			if text != "" {
				b.WriteString("  " + strings.ReplaceAll(cells.CleanLines(strings.TrimSuffix(text, "\n")), "\n", "\n  ") + "\n")
			}
		}
	}
	settings := ""
	for _, setting := range model.SettingTable() {
		value := setting.Text(r.Model.Settings)
		if value == "" {
			continue
		}
		settings += ", " + setting.Name + " " + value
		if setting.MayBeRefused {
			settings += " unless the server refuses it"
		}
	}
	part(joinNonEmpty(" ", "agent "+r.Agent+" asks model", r.Model.Name) + settings)
	if r.System != "" {
		part("system", r.System)
	}
	for _, m := range r.Messages {
		heading := m.Role
		if m.Role == model.RoleTool {
			heading = joinNonEmpty(" ", "result of", m.Name, m.CallID)
			if m.Failed {
				heading += ", failed"
			}
		}
		texts := []string{m.Text}
		for _, call := range m.Calls {
			texts = append(texts, joinNonEmpty(" ", "calls", call.Name, call.ID, call.Args))
		}
		part(heading, texts...)
	}
	for _, t := range r.Tools {
		part("tool "+t.Name, t.Description, t.Schema)
	}
	if r.Schema != "" {
		part("schema of the answer", r.Schema)
	}

	return b.String()
}
