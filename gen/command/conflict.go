package command

import (
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// refuseOtherSources returns an error if the plan would remove files that are generated from
// another workflow. Standalone workflow files in one folder have the same output folder, so each
// would remove the files of the other.
func (p *project) refuseOtherSources(c *cli.Call, disk output.FS, plan *output.Plan) error {
	if p.standalone == "" {
		return nil
	}
	conflict := &output.ConflictError{}
	for _, change := range plan.Changes {
		from := standaloneSource(change)
		if from == "" || from == p.standalone {
			continue
		}
		if _, err := disk.ReadFile(from); err == nil {
			conflict.Conflicts = append(conflict.Conflicts, output.Conflict{
				Path: change.Path,
				Problem: "is generated from " + p.label(c)(from) + ", which " + p.label(c)(p.standalone) + " does not import: " +
					"put each into a folder of its own, or both into a folder workflows, or remove what was generated",
			})
		}
	}
	if len(conflict.Conflicts) > 0 {
		return conflict
	}

	return nil
}

// standaloneSource returns the workflow in the project's root from which a file to be removed was
// generated, or "".
func standaloneSource(change output.Change) string {
	if change.New != nil {
		return ""
	}
	header, ok := emit.ParseHeader(change.Old)
	if !ok || strings.Contains(header.Source, "/") || path.Ext(header.Source) != ".yaml" {
		return ""
	}

	return header.Source
}
