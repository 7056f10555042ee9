package command

import (
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// otherSources refuses to remove what is generated from another workflow: files that are projects
// of their own have one output folder if they are in one folder, and each would remove what is
// generated from the other.
func (p *project) otherSources(c *cli.Call, disk output.FS, plan *output.Plan) error {
	if p.alone == "" {
		return nil
	}
	conflict := &output.ConflictError{}
	for _, change := range plan.Changes {
		from := aloneSource(change)
		if from == "" || from == p.alone {
			continue
		}
		if _, err := disk.ReadFile(from); err == nil {
			conflict.Conflicts = append(conflict.Conflicts, output.Conflict{
				Path: change.Path,
				Problem: "is generated from " + p.label(c)(from) + ", which " + p.label(c)(p.alone) + " does not import: " +
					"put each into a folder of its own, or both into a folder workflows, or remove what was generated",
			})
		}
	}
	if len(conflict.Conflicts) > 0 {
		return conflict
	}

	return nil
}

// aloneSource returns the workflow in the root of the project that a file was generated from which
// has to go; "" without one.
func aloneSource(change output.Change) string {
	if change.New != nil {
		return ""
	}
	header, ok := emit.ParseHeader(change.Old)
	if !ok || strings.Contains(header.Source, "/") || path.Ext(header.Source) != ".yaml" {
		return ""
	}

	return header.Source
}
