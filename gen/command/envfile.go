package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// readEnvironment returns the variables of a run of the project in a folder. They are the variables
// of this process, then of --env-file, then of the files in env_file of agentc.yaml; the first
// value of a name counts. Only the file of --env-file must exist.
func readEnvironment(c *cli.Call, project string) ([]string, error) {
	var vars []variable
	if c.On("env-file") {
		text, err := c.ReadFlag("env-file")
		if err != nil {
			return nil, err
		}
		vars, err = parseEnv(string(text))
		if err != nil {
			return nil, c.Usagef("--env-file %s:%v", c.Flag("env-file"), err)
		}
	}
	for _, name := range loader.EnvFiles(os.DirFS(project)) {
		file := filepath.Join(project, filepath.FromSlash(name))
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("env_file of agentc.yaml: %w", err)
		}
		added, err := parseEnv(string(text))
		if err != nil {
			return nil, c.Errorf(cli.Problem, "env_file of agentc.yaml: %s:%w", c.Rel(file), err)
		}
		vars = append(vars, added...)
	}

	environ := os.Environ()
	set := variableMap(environ)
	for _, v := range vars {
		if _, isSet := set[v.name]; !isSet {
			set[v.name] = v.value
			environ = append(environ, v.name+"="+v.value)
		}
	}

	return environ, nil
}

// variableMap returns the variables of an environment by name. The last line of a name counts.
func variableMap(environ []string) map[string]string {
	vars := map[string]string{}
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		vars[name] = value
	}

	return vars
}

type variable struct {
	name, value string
}

// parseEnv reads lines NAME=VALUE. It skips empty lines and comments (#). `export ` before the name
// is allowed. A value may be in double quotes, with Go's escapes, or in single quotes, without
// escapes. Text after " #" is a comment. An error begins with the number of the line.
func parseEnv(text string) ([]variable, error) {
	var vars []variable
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.ContainsAny(name, "\"'\x00") || strings.ContainsFunc(name, unicode.IsSpace) {
			return nil, fmt.Errorf("%d: the line is not NAME=VALUE", number) // the line is not printed: it may be a secret
		}
		value, err := parseEnvValue(strings.TrimSpace(value))
		if err == nil && strings.Contains(value, "\x00") {
			err = errors.New("it contains a NUL character")
		}
		if err != nil {
			return nil, fmt.Errorf("%d: the value of %s: %w", number, name, err)
		}
		vars = append(vars, variable{name, value})
	}

	return vars, nil
}

func parseEnvValue(text string) (value string, err error) {
	rest, isQuoted := "", false
	switch {
	case strings.HasPrefix(text, `"`):
		prefix, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", errors.New("a closing quote is missing, or an escape is unknown")
		}
		rest = text[len(prefix):]
		value, _ = strconv.Unquote(prefix) // QuotedPrefix has checked it
	case strings.HasPrefix(text, "'"):
		value, rest, isQuoted = strings.Cut(text[1:], "'")
		if !isQuoted {
			return "", errors.New("the closing quote is missing")
		}
	default:
		value, _, _ = strings.Cut(text, " #")
		return strings.TrimSpace(value), nil
	}
	rest = strings.TrimSpace(rest)
	if rest != "" && rest[0] != '#' {
		return "", errors.New("there is text after the closing quote")
	}

	return value, nil
}
