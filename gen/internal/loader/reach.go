package loader

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/tree"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// reach takes what the built-in tools may reach. Commands have no other folder than that of the file tools.
func (l *loader) reach(config *yamldoc.Node) {
	r := &l.Program.Reach
	r.Root = tree.Text(config.Value("files").Value("root"))
	r.Hosts = tree.Texts(config.Value("http").Value("allow"))
	r.RootMax, r.HostsMax = l.Size(config.Value("files").Value("max_bytes")), l.Size(config.Value("http").Value("max_bytes"))
	shell := config.Value("shell")
	r.Shell = shell != nil && shell.Kind == yamldoc.Bool && tree.Bool(shell)
	if r.Shell && r.Root.Value == "" {
		l.List.Add(diag.New(diag.BadValue, shell.Span, "shell is on, and there is no folder in which commands could run").
			WithHint("add files: {root: ./workspace}"))
	}
}
