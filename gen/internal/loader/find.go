package loader

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// The files at the top of a project.
const (
	configFile = "agentc.yaml"
	tamaFile   = "tama.toml"
	pricesFile = "prices.yaml"
)

// findTop looks for the files at the top.
func (l *loader) findTop() error {
	top, err := source.Names(l.FS, ".")
	if err != nil {
		return err
	}
	known := map[string]*bool{configFile: &l.hasConfig, tamaFile: &l.hasTama, pricesFile: &l.hasPrices}
	for _, name := range top {
		there := known[name]
		if there == nil {
			l.strayConfig(name)
			continue
		}
		if *there, err = l.AddUnlessFile(frontend.Stray{Path: name, Want: name}); err != nil {
			return err
		}
	}

	return nil
}

// strayConfig notes a file at the top that was meant to be the config, and is not called so.
func (l *loader) strayConfig(name string) {
	switch {
	case strings.EqualFold(name, configFile) || strings.EqualFold(name, "agentc.yml"):
		l.Strays = append(l.Strays, frontend.Stray{Path: name, Want: configFile})
	case strings.EqualFold(name, tamaFile):
		l.Strays = append(l.Strays, frontend.Stray{Path: name, Want: tamaFile})
	case strings.EqualFold(name, pricesFile) || strings.EqualFold(name, "prices.yml"):
		l.Strays = append(l.Strays, frontend.Stray{Path: name, Want: pricesFile})
	}
}
