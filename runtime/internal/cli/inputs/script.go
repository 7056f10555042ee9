package inputs

import (
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	grammar "github.com/agentc-dev/agentc/runtime/internal/engine/script"
)

// Script returns the script that the flag --script of a command names; "" without the flag.
func Script(c *cli.Call, p *compiled.Program) (script string, err error) {
	if !c.On("script") {
		return "", nil
	}
	name := c.Flag("script")
	text, err := c.ReadFlag("script")
	if err != nil {
		return "", err
	}
	if isYAML(name, text) {
		return "", c.Usagef("--script %s: this is YAML; a built binary reads the same fields as JSON, agentc run --script reads both; "+
			"agentc simulate --write-scripts DIR --format json writes JSON", name)
	}
	if err := grammar.Check(string(text), p); err != nil {
		return "", c.Errorf(cli.Problem, "%s: %w", name, err)
	}

	return string(text), nil
}

func isYAML(name string, text []byte) bool {
	trimmed := strings.TrimSpace(string(text))
	if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
		return !strings.HasPrefix(trimmed, "{") // JSON is YAML too
	}

	return trimmed != "" && trimmed[0] != '{' && trimmed[0] != '[' && strings.Contains(trimmed, ":")
}
