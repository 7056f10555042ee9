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
		kinds = append(kinds, "files.Tools{Root: "+root+maxSize(reach.RootMax)+"}")
	}
	if len(reach.Hosts) > 0 {
		var hosts []string
		for _, host := range reach.Hosts {
			hosts = append(hosts, host.Value)
		}
		kinds = append(kinds, "web.Tools{Allow: "+textList(hosts)+maxSize(reach.HostsMax)+"}")
	}
	if reach.Shell {
		kinds = append(kinds, "shell.Tools{Dir: "+root+"}")
	}
	if kinds == nil {
		return ""
	}

	return "tools.On(" + strings.Join(kinds, ", ") + ")"
}

// maxSize is how the field of that name is written behind another; "" without it.
func maxSize(bytes int64) string {
	if bytes == 0 {
		return ""
	}

	return ", MaxSize: " + strconv.FormatInt(bytes, 10)
}

// boundsText is how the bounds of what comes from outside are written.
func boundsText(of ir.Limits) string {
	var list []string
	for _, f := range []struct {
		name  string
		bytes int64
	}{{"Reply", of.Reply}, {"ToolResult", of.ToolResult}, {"ToolResultMax", of.ToolResultMax}} {
		if f.bytes > 0 {
			list = append(list, f.name+": "+strconv.FormatInt(f.bytes, 10))
		}
	}

	return "runtime.Limits{" + strings.Join(list, ", ") + "}"
}
