package command

import (
	"context"
	"errors"
	gobuild "go/build"
	"os"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var initCommand = &cli.Command{
	Name: "init", Args: "NAME [DIR]", Max: 2,
	Summary: "write a new project, which compiles and runs at once",
	Help: `The project goes into DIR; default: a folder called NAME. It has an agent called NAME with a skill, a script that
answers instead of a model, and in Go a program, the skill's tool, and a test that runs every agent from its script. If DIR lies
in no Go module it becomes one; in a module no go.mod is written, and you read what the module lacks. Where Go of yours
stands in DIR, the program goes into cmd/NAME.

No file is ever overwritten: if one is there already, nothing is written. The files are listed on stdout.`,
	Example: "agentc init hello\nagentc init hello .   # in the working directory",
	Run:     initProject,
}

func initProject(c *cli.Call) int {
	name := arg(c, 0)
	if name == "" {
		return c.Usagef("what is the project called? agentc init NAME")
	}
	if code, ok := isName(c, aProject, name); !ok {
		return code
	}
	if strings.HasPrefix(name, "_") {
		return c.Usagef("%q cannot be the name of a project: the go command does not see a folder that begins with _", name)
	}
	dir := c.Path(name)
	if len(c.Args) == 2 {
		dir = c.Path(c.Args[1])
	}
	if loader.IsProject(os.DirFS(dir)) {
		return c.Errorf(cli.Problem, "%s is a project already; agentc add PATTERN NAME adds an agent to it", c.Rel(dir))
	}

	pkg, err := packageIn(dir)
	if err != nil {
		return c.Errorf(cli.Problem, "%v", err)
	}

	ctx := context.Background()
	n := &newProject{scaffold: scaffold{c: c, p: &project{dir: dir}}, name: name, pkg: pkg, from: findOrigin(ctx).released()}
	err = n.plan(ctx)
	var taken *TakenNameError
	switch {
	case errors.As(err, &taken):
		return c.Usagef("%v", err)
	case err != nil:
		return c.Errorf(cli.Failure, "%v", err)
	}

	return n.create()
}

// packageIn returns the name of the Go package in a folder; "" if there is no Go, or no folder.
func packageIn(dir string) (string, error) {
	if nearestFolder(dir) != dir {
		return "", nil
	}
	pkg, err := gobuild.ImportDir(dir, 0)
	var none *gobuild.NoGoError
	if errors.As(err, &none) {
		return "", nil
	}
	if err != nil {
		return "", err
	}

	return pkg.Name, nil
}
