package command

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// completions are the completion scripts of shells. They ask agentc for suggestions, so a new
// version needs no new script.
//
//go:embed completions
var completions embed.FS

func shells() []string { return []string{"bash", "fish", "powershell", "zsh"} }

func completionCommand(p *cli.Program) *cli.Command {
	return &cli.Command{
		Name: "completion", Args: "SHELL", Max: 1000, Values: shells,
		Summary: "print the completion script of a shell",
		Example: `source <(agentc completion bash)     # in ~/.bashrc
source <(agentc completion zsh)      # in ~/.zshrc, after compinit
agentc completion fish > ~/.config/fish/completions/agentc.fish
agentc completion powershell >> $PROFILE`,
		Run: func(c *cli.Call) error {
			shell := c.Arg(0)
			if shell == "suggest" {
				for _, line := range p.Complete(slices.Clone(c.Args[1:])) {
					fmt.Fprintln(c.Stdout, line)
				}
				return nil
			}
			text, err := completions.ReadFile("completions/" + shell)
			if err != nil {
				return c.Usagef("name a shell: %s", strings.Join(shells(), ", "))
			}

			return emitText(c, string(text))
		},
	}
}
