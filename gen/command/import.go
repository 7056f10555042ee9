package command

import (
	"errors"
	"io/fs"
	"os"

	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// The two config files of a project, of which agentc.yaml counts where both are there.
const (
	configName = "agentc.yaml"
	tamaName   = "tama.toml"
)

var importCommand = &cli.Command{
	Name: "import", Args: "tama [DIR]", Max: 2,
	Summary: "convert a project's tama.toml to agentc.yaml",
	Example: "agentc import tama --delete ./my-project\nagentc preflight --fix ./my-project",
	Flags:   []cli.Flag{{Name: "delete", Help: "remove tama.toml"}},
	Run: func(c *cli.Call) error {
		if word := c.Arg(0); word != "tama" {
			return c.Usagef("import reads one format: agentc import tama%s", didYouMean(word, []string{"tama"}))
		}
		p, err := openProject(c, c.Arg(1))
		if err != nil {
			return err
		}
		if err := p.importTama(c); err != nil || !c.On("delete") {
			return err
		}
		return os.Remove(p.path(tamaName))
	},
}

// importTama writes an agentc.yaml that says what tama.toml says.
func (p *project) importTama(c *cli.Call) error {
	text, err := os.ReadFile(p.path(tamaName))
	if errors.Is(err, fs.ErrNotExist) {
		return c.Errorf(cli.Problem, "%s is not there: there is nothing to import", c.Rel(p.path(tamaName)))
	}
	if err != nil {
		return err
	}
	if exists(p.path(configName)) {
		return c.Errorf(cli.Problem, "%s is there already: move what tama.toml says to it, and delete tama.toml", c.Rel(p.path(configName)))
	}
	config, findings := loader.ImportTama(source.NewFile(tamaName, text))
	p.report(c, findings)
	if config == "" && len(findings) > 0 {
		return c.Exit(cli.Problem)
	}
	disk, err := openOutput(p.dir)
	if err != nil {
		return err
	}
	defer disk.Close()
	if err := output.Write(disk)(output.Change{Path: configName, New: []byte(config)}); err != nil {
		return err
	}
	say(c, "%s says what %s says, which is not read any more", c.Rel(p.path(configName)), c.Rel(p.path(tamaName)))

	return nil
}
