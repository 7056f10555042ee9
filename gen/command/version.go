package command

import (
	"context"
	"fmt"
	"os/exec"
	goruntime "runtime"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

var versionCommand = &cli.Command{
	Name: "version", Max: 0,
	Summary: "print the versions of agentc, its runtime and Go",
	Example: "agentc version",
	Run:     printVersion,
}

func printVersion(c *cli.Call) error {
	goCommand := "not found (run and build need it)"
	if out, err := exec.CommandContext(context.Background(), "go", "env", "GOVERSION").Output(); err == nil {
		goCommand = strings.TrimSpace(string(out))
	}

	return emitText(c, fmt.Sprintf("agentc %s\nthe runtime accepts generated code of generations %d to %d\ncompiled with %s for %s/%s\ngo command: %s\n",
		c.Program.Version(), rt.MinVersion, rt.MaxVersion, goruntime.Version(), goruntime.GOOS, goruntime.GOARCH, goCommand))
}
