package command

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/output"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
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

// replacesTama reports of an agentc.yaml that is there already which of the settings of tama.toml
// it lacks, or where it says something else. imported are these settings in its words.
func (p *project) replacesTama(c *cli.Call, imported string) error {
	name := c.Rel(p.path(configName))
	if !c.On("delete") {
		return c.Errorf(cli.Problem, "%s is there already: move what tama.toml says to it; agentc import tama --delete deletes tama.toml then", name)
	}
	text, err := os.ReadFile(p.path(configName))
	if err != nil {
		return err
	}
	config, problems := yamldoc.Parse(source.NewFile(name, text))
	if len(problems) > 0 {
		return c.Errorf(cli.Problem, "%s cannot be compared with tama.toml: %s", name, problems[0].Message)
	}
	settings, _ := yamldoc.Parse(source.NewFile(configName, []byte(imported))) // what import writes is YAML
	if lacks := lacking("", membersOf(settings), membersOf(config)); len(lacks) > 0 {
		return c.Errorf(cli.Problem, "%s does not say what tama.toml says: move %s to it", name, strings.Join(lacks, ", "))
	}

	return nil
}

// membersOf returns the members of a mapping; nil for anything else.
func membersOf(n *yamldoc.Node) map[string]any {
	members, _ := n.JSON().(map[string]any)

	return members
}

// lacking returns the settings, by their paths below a field, that a config does not have or that
// are different there.
func lacking(below string, settings, config map[string]any) (lacks []string) {
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		inner, isMapping := settings[name].(map[string]any)
		has, isToo := config[name].(map[string]any)
		switch {
		case isMapping && isToo:
			lacks = append(lacks, lacking(below+name+".", inner, has)...)
		case !reflect.DeepEqual(settings[name], config[name]):
			lacks = append(lacks, below+name)
		}
	}

	return lacks
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
	config, findings := loader.ImportTama(source.NewFile(tamaName, text))
	p.report(c, findings)
	if config == "" && len(findings) > 0 {
		return c.Exit(cli.Problem)
	}
	if exists(p.path(configName)) {
		return p.replacesTama(c, config)
	}
	disk, err := openOutput(p.dir)
	if err != nil {
		return err
	}
	defer disk.Close()
	if err := output.Write(disk)(output.Change{Path: configName, New: []byte(config)}); err != nil {
		return err
	}
	say(c, "converted %[1]s to %[2]s; %[1]s is no longer read", c.Rel(p.path(tamaName)), c.Rel(p.path(configName)))

	return nil
}
