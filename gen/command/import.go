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

// The config files of a project. agentc.yaml takes precedence.
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
		return os.Remove(p.absolutePath(tamaName))
	},
}

// checkReplacesTama reports which settings of tama.toml are missing or different in an existing
// agentc.yaml. imported are these settings as YAML.
func (p *project) checkReplacesTama(c *cli.Call, imported string) error {
	name := c.Rel(p.absolutePath(configName))
	if !c.On("delete") {
		return c.Errorf(cli.Problem, "%s exists already: move the settings of tama.toml to it; then agentc import tama --delete deletes tama.toml", name)
	}
	text, err := os.ReadFile(p.absolutePath(configName))
	if err != nil {
		return err
	}
	config, problems := yamldoc.Parse(source.NewFile(name, text))
	if len(problems) > 0 {
		return c.Errorf(cli.Problem, "%s cannot be compared with tama.toml: %s", name, problems[0].Message)
	}
	settings, _ := yamldoc.Parse(source.NewFile(configName, []byte(imported))) // import writes valid YAML
	if missing := missingSettings("", mappingMembers(settings), mappingMembers(config)); len(missing) > 0 {
		return c.Errorf(cli.Problem, "%s lacks settings of tama.toml: move %s to it", name, strings.Join(missing, ", "))
	}

	return nil
}

// mappingMembers returns the members of a mapping, nil for other nodes.
func mappingMembers(n *yamldoc.Node) map[string]any {
	members, _ := n.JSON().(map[string]any)

	return members
}

// missingSettings returns the paths of settings that a config lacks or that differ there. parent is
// the path of both, with a final dot.
func missingSettings(parent string, settings, config map[string]any) (missing []string) {
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		inner, isMapping := settings[name].(map[string]any)
		configured, isConfigMapping := config[name].(map[string]any)
		switch {
		case isMapping && isConfigMapping:
			missing = append(missing, missingSettings(parent+name+".", inner, configured)...)
		case !reflect.DeepEqual(settings[name], config[name]):
			missing = append(missing, parent+name)
		}
	}

	return missing
}

// importTama writes an agentc.yaml with the settings of tama.toml.
func (p *project) importTama(c *cli.Call) error {
	text, err := os.ReadFile(p.absolutePath(tamaName))
	if errors.Is(err, fs.ErrNotExist) {
		return c.Errorf(cli.Problem, "%s does not exist: there is nothing to import", c.Rel(p.absolutePath(tamaName)))
	}
	if err != nil {
		return err
	}
	config, findings := loader.ImportTama(source.NewFile(tamaName, text))
	p.reportDiagnostics(c, findings)
	if config == "" && len(findings) > 0 {
		return c.Exit(cli.Problem)
	}
	if fileExists(p.absolutePath(configName)) {
		return p.checkReplacesTama(c, config)
	}
	disk, err := openOutput(p.dir)
	if err != nil {
		return err
	}
	defer disk.Close()
	if err := output.WriteSink(disk)(output.Change{Path: configName, New: []byte(config)}); err != nil {
		return err
	}
	printMessage(c, "converted %[1]s to %[2]s; %[1]s is no longer read", c.Rel(p.absolutePath(tamaName)), c.Rel(p.absolutePath(configName)))

	return nil
}
