package command

import (
	"cmp"
	"context"
	"errors"
	gobuild "go/build"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var initCommand = &cli.Command{
	Name: "init", Args: "[NAME] [DIR]", Max: 2,
	Summary: "write a new project that compiles and runs at once",
	Example: "agentc init hello\nagentc init   # in the working directory\nagentc init --package ./internal/desk   # in a Go module\n" +
		"agentc init letter --workflow",
	Flags: []cli.Flag{
		{Name: "package", Value: "DIR", Help: "write a Go package of the surrounding module in DIR, instead of a program"},
		{Name: "workflow", Help: "write a workflow, instead of an agent"},
		{Name: "machine", Help: "write a state machine whose states run agents, instead of an agent"},
		{Name: "editor", Value: "NAME", Choices: []string{"vscode", "jetbrains", "all"},
			Help: "write settings of VS Code, of JetBrains' editors, or of both; default: of those whose folder is there"},
	},
	Run: initProject,
}

func initProject(c *cli.Call) error {
	n, err := parseInitArguments(c)
	if err != nil {
		return err
	}
	if loader.IsProject(os.DirFS(n.p.dir)) {
		return c.Errorf(cli.Problem, "%s is a project already; agentc add PATTERN NAME adds an agent to it", c.Rel(n.p.dir))
	}
	n.pkg, err = packageName(n.p.dir)
	if err != nil {
		return c.Errorf(cli.Problem, "%v", err)
	}
	if err := n.planAll(context.Background()); err != nil {
		return err
	}
	if _, err := exec.LookPath("go"); err != nil {
		n.advice = append(n.advice, gopkg.ErrNoGo.Error())
	}

	return n.writeAll()
}

// parseInitArguments returns the project that the command line describes, with a valid name.
func parseInitArguments(c *cli.Call) (*newProject, error) {
	name, dir := c.Arg(0), cmp.Or(c.Arg(1), c.Flag("package"))
	switch {
	case c.On("workflow") && c.On("machine"):
		return nil, c.Usagef("--workflow and --machine exclude each other")
	case c.On("package") && c.Arg(1) != "":
		return nil, c.Usagef("--package names the folder; unexpected argument %q", c.Arg(1))
	}
	dir = c.Path(cmp.Or(dir, name))
	chosen := cmp.Or(name, filepath.Base(dir))
	if err := checkName(c, aProject, chosen); err != nil {
		if name == "" {
			return nil, c.Usagef("%v\nto choose another one: agentc init NAME", err)
		}
		return nil, err
	}
	if strings.HasPrefix(chosen, "_") || chosen == "testdata" || chosen == "vendor" {
		return nil, c.Usagef("%q cannot be the name of a project: the go command finds no packages in a folder of that name", chosen)
	}

	return &newProject{scaffold: scaffold{c: c, p: &project{dir: dir}, generates: true}, name: chosen, from: findOrigin()}, nil
}

// packageName returns the name of the Go package in a folder; "" if there is no Go, or no folder.
func packageName(dir string) (string, error) {
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
