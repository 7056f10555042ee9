package command

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// completions are what a shell has to read. Each asks agentc itself, so that they need not be written anew for a new version.
var completions = map[string]string{
	"bash": `_agentc() {
	local IFS=$'\n'
	COMPREPLY=($("$1" completion suggest -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _agentc agentc
`,
	"zsh": `#compdef agentc
_agentc() {
	local line
	local -a texts shown
	"${words[1]}" completion suggest -- "${(@)words[2,CURRENT]}" 2>/dev/null | while IFS= read -r line; do
		texts+=("${line%%$'\t'*}")
		shown+=("${line/$'\t'/  -- }")
	done
	if (( $#texts )); then compadd -l -d shown -a texts; else _files; fi
}
compdef _agentc agentc
`,
	"fish": `complete -c agentc -a '(agentc completion suggest -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName agentc -ScriptBlock {
	param($begun, $line, $position)
	$words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
	if ($begun -eq '') { $words += '' }
	agentc completion suggest -- @words 2>$null | ForEach-Object {
		$text, $help = $_ -split [char]9
		[System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $(if ($help) { $help } else { $text }))
	}
}
`,
}

func shells() []string { return []string{"bash", "fish", "powershell", "zsh"} }

func completionCommand(p *cli.Program) *cli.Command {
	return &cli.Command{
		Name: "completion", Args: "SHELL", Max: 1000, Values: shells,
		Summary: "print what makes a shell complete commands, flags and names",
		Help:    "SHELL is bash, fish, powershell or zsh. What is printed calls agentc completion suggest -- WORD ..., which prints what can be in the place of the last word.",
		Example: `source <(agentc completion bash)     # in ~/.bashrc
source <(agentc completion zsh)      # in ~/.zshrc, after compinit
agentc completion fish > ~/.config/fish/completions/agentc.fish
agentc completion powershell >> $PROFILE`,
		Run: withExitCode(func(c *cli.Call) error {
			shell := arg(c, 0)
			if shell == "suggest" {
				return emitText(c, lines(p.Complete(slices.Clone(c.Args[1:]))))
			}
			text, ok := completions[shell]
			if !ok {
				return usagef("name a shell: %s", strings.Join(shells(), ", "))
			}

			return emitText(c, text)
		}),
	}
}

func lines(texts []string) string {
	if len(texts) == 0 {
		return ""
	}

	return strings.Join(texts, "\n") + "\n"
}
