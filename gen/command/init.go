package command

import (
	"cmp"
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
answers instead of a model, and in Go a program, the skill's tool, and a test that runs every agent from its script. If DIR is
in no Go module it becomes one; in a module no go.mod is written, and you read what the module lacks. Where Go of yours
is in DIR, the program goes into cmd/NAME.

No file is ever overwritten: if one is there already, nothing is written. The files are listed on stdout.`,
	Example: "agentc init hello\nagentc init hello .   # in the working directory",
	Run:     withExitCode(initProject),
}

func initProject(c *cli.Call) error {
	name := arg(c, 0)
	if name == "" {
		return usagef("what is the project called? agentc init NAME")
	}
	if err := checkName(aProject, name); err != nil {
		return err
	}
	if strings.HasPrefix(name, "_") {
		return usagef("%q cannot be the name of a project: the go command does not see a folder that begins with _", name)
	}
	dir := c.Path(cmp.Or(arg(c, 1), name))
	if loader.IsProject(os.DirFS(dir)) {
		return problemf("%s is a project already; agentc add PATTERN NAME adds an agent to it", c.Rel(dir))
	}

	pkg, err := packageIn(dir)
	if err != nil {
		return problemf("%v", err)
	}

	n := &newProject{scaffold: scaffold{c: c, p: &project{dir: dir}}, name: name, pkg: pkg, from: findOrigin()}
	if err := n.plan(context.Background()); err != nil {
		return err
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
