package verify

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
)

// turnedOn is what opens the built-in tools that the project has turned on, as it is written; "" if all of them are off.
func turnedOn(reach ir.Reach) string {
	var kinds []string
	root := strconv.Quote(reach.Root.Value)
	if reach.Root.Value != "" {
		kinds = append(kinds, "files.Tools{Root: "+root+"}")
	}
	if len(reach.Hosts) > 0 {
		var hosts []string
		for _, host := range reach.Hosts {
			hosts = append(hosts, host.Value)
		}
		kinds = append(kinds, "web.Tools{Allow: "+textList(hosts)+"}")
	}
	if reach.Shell {
		kinds = append(kinds, "shell.Tools{Dir: "+root+"}")
	}
	if kinds == nil {
		return ""
	}

	return "tools.On(" + strings.Join(kinds, ", ") + ")"
}
