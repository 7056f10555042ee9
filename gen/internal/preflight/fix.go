package preflight

import (
	"slices"
	"strings"
)

// Fixed returns agentc.yaml with the lines that needs lack, each once, and those lines. What only the author can choose is not added: a
// model, and what a field says that is there already, unless it is a mapping or a list that can have more.
func Fixed(config string, needs []Need) (text string, added []string) {
	for _, n := range needs {
		if n.Missing == "" || !n.Config || n.Kind == "model" || slices.Contains(added, n.Add) {
			continue
		}
		fixed, ok := config, false
		if n.Kind == "host" {
			fixed, ok = withHost(config, n.Name)
		} else {
			fixed, ok = withLine(config, n.Add)
		}
		if ok {
			config, added = fixed, append(added, n.Add)
		}
	}
	slices.Sort(added)

	return config, added
}

// withLine adds a line, or what it says to the mapping that has its field.
func withLine(config, line string) (string, bool) {
	field, value, _ := strings.Cut(line, ": ")
	lines := strings.SplitAfter(config, "\n")
	i, _ := section(lines, field)
	if i < 0 {
		if config != "" && !strings.HasSuffix(config, "\n") {
			config += "\n"
		}
		return config + line + "\n", true
	}
	inner, isMapping := strings.CutPrefix(value, "{")
	if !isMapping {
		return config, false
	}
	inner = strings.TrimSuffix(inner, "}")
	_, there, _ := strings.Cut(lines[i], ":")
	there, _, _ = strings.Cut(there, " #")
	open, end := strings.Index(lines[i], "{"), strings.LastIndex(lines[i], "}")
	switch there = strings.TrimSpace(there); {
	case there == "" && i+1 < len(lines) && strings.HasPrefix(lines[i+1], " "):
		lines[i] += lines[i+1][:indent(lines[i+1])] + inner + "\n"
	case strings.HasPrefix(there, "{") && strings.HasSuffix(there, "}"):
		if before := strings.TrimSpace(lines[i][open+1 : end]); before != "" {
			inner = before + ", " + inner
		}
		lines[i] = lines[i][:open+1] + inner + lines[i][end:]
	default:
		return config, false
	}

	return strings.Join(lines, ""), true
}

// withHost adds a host to the list http.allow.
func withHost(config, host string) (string, bool) {
	lines := strings.SplitAfter(config, "\n")
	from, to := section(lines, "http")
	if from < 0 {
		return config, false
	}
	before, list, found := strings.Cut(strings.Join(lines[from:to], ""), "allow:")
	end, item := strings.Index(list, "]"), strings.Index(list, "\n")+1
	switch {
	case !found:
		return config, false
	case strings.HasPrefix(strings.TrimSpace(list), "[") && end > 0:
		list = strings.TrimRight(list[:end], " ,\n") + ", " + host + list[end:]
	case strings.HasPrefix(strings.TrimLeft(list[item:], " "), "- "):
		list = list[:item] + list[item:item+indent(list[item:])] + "- " + host + "\n" + list[item:]
	default:
		return config, false
	}

	return strings.Join(lines[:from], "") + before + "allow:" + list + strings.Join(lines[to:], ""), true
}

// section returns the lines of a field at the top of a document: the first, and the first behind them; -1 if it has none.
func section(lines []string, field string) (from, to int) {
	from = slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, field+":") || strings.HasPrefix(l, `"`+field+`":`) })
	for to = from + 1; from >= 0 && to < len(lines) && strings.HasPrefix(lines[to], " "); {
		to++
	}

	return from, to
}

// indent returns how many spaces a line begins with.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
