package command

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/stats"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// showStats writes diagnostics and statistics to stdout: as text one after the other, as JSON in
// one object. A project with errors has no statistics.
func (p *project) showStats(c *cli.Call, result *gen.Result, format string) error {
	var entries []stats.Entry
	if !result.HasErrors() {
		entries = stats.CountEntries(result.Program)
	}
	if format == formatJSON {
		var findings bytes.Buffer
		if err := diag.JSON(&findings, result.Diagnostics, p.label(c)); err != nil {
			return err
		}
		return printJSON(c.Stdout, struct {
			Findings json.RawMessage `json:"findings"`
			Stats    []stats.Entry   `json:"stats"`
		}{findings.Bytes(), entries})
	}
	if err := writeDiagnostics(c, result.Diagnostics, p.label(c), format); err != nil {
		return err
	}
	fmt.Fprintln(c.Notes(), countDiagnostics(result.Diagnostics))
	if result.HasErrors() {
		fmt.Fprintln(c.Notes(), "statistics are printed when there are no errors")
		return nil
	}

	return printAs(c, format, entries, stats.FormatText)
}
