package main

import (
	"context"
	"fmt"
	"os/exec"
	goruntime "runtime"
	"runtime/debug"
	"strings"

	"github.com/agentc-dev/agentc/gen/gopkg"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var versionCommand = &cli.Command{
	Name: "version", Max: 0,
	Summary: "print the versions of compiler, runtime and Go",
	Help:    "The generations are those of generated code: what this runtime can run.",
	Example: "agentc version",
	Run:     printVersion,
}

func printVersion(c *cli.Call) int {
	fmt.Fprintf(c.Stdout, "agentc %s\n", ownVersion())
	fmt.Fprintf(c.Stdout, "runtime: generated code of generations %d to %d\n", runtime.MinVersion, runtime.MaxVersion)
	fmt.Fprintf(c.Stdout, "compiled with %s for %s/%s\n", goruntime.Version(), goruntime.GOOS, goruntime.GOARCH)
	out, err := exec.CommandContext(context.Background(), "go", "env", "GOVERSION").Output()
	if err != nil {
		fmt.Fprintln(c.Stdout, "go command: not found (run and build need it)")
		return cli.Done
	}
	fmt.Fprintf(c.Stdout, "go command: %s\n", strings.TrimSpace(string(out)))

	return cli.Done
}

// ownVersion is the version in the build information; (devel) for a checkout.
func ownVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == gopkg.Agentc && m.Version != "" {
				return m.Version
			}
		}
	}

	return "(devel)"
}
