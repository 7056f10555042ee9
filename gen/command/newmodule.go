package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/templates"
)

// ownCommand is the import path of agentc, which go generate runs as a tool.
const ownCommand = gopkg.Agentc + "/cmd/agentc"

// goLine is the line of go.mod with the Go version that the generated code needs.
const goLine = "go 1.25.0\n"

// moduleFiles returns go.mod for a new module. From a checkout it also returns go.sum, and the
// module requires what the checkout requires, so that it builds without a network.
func (o origin) moduleFiles(name string) ([]templates.File, error) {
	require, err := o.requirement()
	if err != nil {
		return nil, err
	}
	head := "module " + name + "\n\n" + goLine + "\ntool " + ownCommand + "\n\n"
	if o.dir == "" {
		return []templates.File{{Name: "go.mod", Content: []byte(head + require)}}, nil
	}

	own, err := gopkg.ReadModule(filepath.Join(o.dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	sums, err := os.ReadFile(filepath.Join(o.dir, "go.sum"))
	if err != nil {
		return nil, err
	}
	var indirect strings.Builder
	slices.SortFunc(own.Requires, func(a, b gopkg.Requirement) int { return strings.Compare(a.Path, b.Path) })
	for _, r := range own.Requires {
		fmt.Fprintf(&indirect, "\t%s %s // indirect\n", r.Path, r.Version)
	}

	return []templates.File{
		{Name: "go.mod", Content: []byte(head + "require (\n" + indirect.String() + ")\n\n" + require)},
		{Name: "go.sum", Content: sums},
	}, nil
}

// getCommands returns the commands that add the runtime of agentc to a module, and the command
// agentc as a tool unless the module has it.
func (o origin) getCommands(hasTool bool) ([]string, error) {
	switch {
	case o.dir != "" && hasTool:
		return []string{fmt.Sprintf("go mod edit -replace %s=%s", gopkg.Agentc, cli.Quote(o.dir)), "go mod tidy"}, nil
	case o.dir != "":
		return []string{
			fmt.Sprintf("go mod edit -replace %s=%s -tool %s", gopkg.Agentc, cli.Quote(o.dir), ownCommand),
			"go mod tidy",
		}, nil
	case o.version != "" && hasTool:
		return []string{"go get " + gopkg.Agentc + "@" + o.version}, nil
	case o.version != "":
		return []string{"go get -tool " + ownCommand + "@" + o.version}, nil
	}

	return nil, errNoOrigin
}

var plainPath = regexp.MustCompile(`^[\pL\pN_./+@~-]+$`)

// modPath returns a path, quoted if go.mod needs that.
func modPath(path string) string {
	if plainPath.MatchString(path) {
		return path
	}

	return strconv.Quote(path)
}
