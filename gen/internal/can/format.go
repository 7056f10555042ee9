package can

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// FormatText formats what runs can do as a text.
func FormatText(entries []Entry) string {
	var b strings.Builder
	for i, e := range entries {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Name + "\n")
		list := func(name string, items ...string) {
			if text := strings.Join(items, ", "); text != "" {
				b.WriteString(words.Wrap(fmt.Sprintf("  %-10s", name), "            ", text, width))
			}
		}
		list("agents", e.Agents...)
		for _, u := range e.Tools {
			list("tool", u.formatText())
		}
		list("files", e.Files)
		list("hosts", e.Hosts...)
		list("commands", e.Commands...)
		list("variables", e.Variables...)
		for _, rule := range e.Access {
			list("access", rule)
		}
		if len(e.Tools) == 0 {
			list("tools", "none is called")
		}
	}

	return b.String()
}

func (u Use) formatText() string {
	text := u.Tool + " (" + u.Effect + ") by " + u.Agent
	var behind []string
	if u.Confirm {
		behind = append(behind, "a person who allows each call")
	}
	if u.Skill != "" {
		behind = append(behind, "skill "+u.Skill)
	}
	if len(u.Gate) > 0 {
		behind = append(behind, "calls of "+strings.Join(u.Gate, ", "))
	}
	behind = append(behind, u.Blockers...)
	if len(behind) > 0 {
		text += ", behind " + strings.Join(behind, ", ")
	}

	return text
}

// FormatPaths formats the paths of some entry points, and names those without a path.
func FormatPaths(entries []string, paths []Path) string {
	var b strings.Builder
	for _, name := range entries {
		found := false
		for _, p := range paths {
			if p.Entry == name {
				found = true
				b.WriteString(words.Wrap("", "  ", p.Summary(), width))
				for i, line := range p.FormatLines() {
					b.WriteString(words.Wrap(fmt.Sprintf("  %2d  ", i+1), "      ", line, width))
				}
			}
		}
		if !found {
			b.WriteString(words.Wrap("", "  ", name+": proved: untrusted text cannot reach any of these calls", width))
		}
	}

	return b.String()
}

// Summary returns the beginning and the end of the path.
func (p Path) Summary() string {
	return fmt.Sprintf("%s: untrusted text (%s) can reach %s of %s (%s)", p.Entry, p.From, p.Tool, p.Agent, strings.Join(p.To, ", "))
}

// FormatLines returns the steps of the path as texts.
func (p Path) FormatLines() []string { return ir.FlatMap(p.Steps, Step.formatLines) }

func (s Step) formatLines() []string {
	switch s.Do {
	case "start":
		if s.Given {
			return []string{"a run of " + s.Agent + " begins, and is given the text"}
		}
		return []string{"a run of " + s.Agent + " begins"}
	case "enter":
		return []string{s.Agent + " enters " + s.State}
	case "ask":
		return []string{"a person answers " + s.Agent}
	case "choose":
		return []string{fmt.Sprintf("%s takes branch %d", s.Agent, s.Branch)}
	}
	var lines []string
	switch {
	case s.Do == "run" && s.Given:
		lines = append(lines, s.Agent+" is given the text")
	case s.Do == "run" && len(s.Calls) == 0:
		lines = append(lines, s.Agent+" runs")
	}
	for _, c := range s.Calls {
		line := s.Agent + " calls " + c.Tool
		if c.Bad {
			line += " with what it has read"
			if s.Do == "call" {
				line = s.Agent + " calls " + c.Tool + " with the text"
			}
		}
		if c.Source != "" && !c.Bad {
			what := map[bool]string{false: "result", true: "error"}[c.Fails]
			line += ", and the " + what + " is the text (" + c.Source + ")"
		}
		lines = append(lines, line)
	}
	finish := ""
	if s.Key != "" {
		finish = " with " + s.Key
	}
	switch {
	case s.Fails:
		lines = append(lines, s.Agent+" fails, and the error repeats the text")
	case s.Gives && s.Do == "run":
		lines = append(lines, s.Agent+" finishes"+finish+", and its value has the text")
	case finish != "":
		lines = append(lines, s.Agent+" finishes"+finish)
	}

	return lines
}

// width is the width of a terminal.
const width = 80
