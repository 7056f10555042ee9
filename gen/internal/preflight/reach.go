package preflight

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// alwaysThere is the source of built-in tools that need no setting.
const alwaysThere = "agentc"

// namedHost is a host that a skill or a prompt mentions.
type namedHost struct{ host, by string }

// collectSkills collects the skills of a conversation. If one has an http tool, it also collects
// the hosts in these skills and the prompt.
func (l *list) collectSkills(by string, step *ir.Step) {
	usesHTTP := false
	for _, use := range step.Skills() {
		s := use.Skill
		if s == nil {
			continue // the project does not have it
		}
		hasHTTP := slices.ContainsFunc(s.Tools, func(tool ir.ToolRef) bool { return builtin.FlowOf(tool.Builtin).Hosts })
		usesHTTP = usesHTTP || hasHTTP
		if l.skills[s] {
			continue
		}
		l.skills[s] = true
		l.used = append(l.used, s)
		if hasHTTP {
			l.collectHosts(s.Body.Value, "skill "+s.Name.Value)
		}
	}
	if usesHTTP {
		l.collectHosts(step.Prompt.Value, by)
	}
}

// collectHosts collects the hosts that a text mentions.
func (l *list) collectHosts(text, by string) {
	l.named = append(l.named, ir.Map(hostsIn(text), func(host string) namedHost { return namedHost{host, by} })...)
}

// addSkill adds the variables and tools of a skill, and what these reach.
func (l *list) addSkill(s *ir.Skill) {
	by := "skill " + s.Name.Value
	for _, name := range slices.Concat(ir.Values(s.Env), s.EnvVars()) {
		l.addVariable(by, name)
	}
	for _, tool := range s.Tools {
		switch {
		case tool.Builtin != "":
			l.addTool(by, tool.Builtin)
			if builtin.FlowOf(tool.Builtin).Hosts && l.opensFoundAddresses(s) {
				l.addNote("tool", tool.Builtin, by+" also opens addresses that results name: they are refused; http: {allow: [\"*\"]} allows them")
			}
		case tool.Tool != nil && tool.Tool.Server != nil:
			l.addServer(by, tool.Tool.Server)
		case tool.Tool != nil:
			l.addMethod(by, tool.Value)
		}
	}
}

// addMethod adds a typed tool.
func (l *list) addMethod(by, name string) {
	n := Need{Kind: "method", Name: name}
	if l.machine.Method != nil {
		from, err := l.machine.Method(name)
		n.From = from
		n = n.withProblem("", err)
	}
	if n.From == "" && n.Missing == "" {
		n.Unknown = "go build does"
	}
	l.add(n, by)
}

// addTool adds a built-in tool, and what it reaches.
func (l *list) addTool(by, name string) {
	reach := l.program.Reach
	n := Need{Kind: "tool", Name: name, From: "agentc.yaml", Config: true}
	flow := builtin.FlowOf(name)
	line, on := builtin.ToolIsOn(reach, name)
	switch {
	case line == "":
		n.From, n.Config = alwaysThere, false
	case !on:
		n.From, n.Missing, n.Add = "", "the project has not turned it on", line
		switch {
		case flow.Hosts:
			n.Add, n.Config = l.hostsLine()
		case flow.Commands: // only the author can allow a model to run commands
			n.Add, n.Config = line+" to agentc.yaml by hand, if the model may run any command", false
		}
	case flow.Commands:
		if err := l.machine.Command([]string{"sh"}); err != nil {
			n.From, n.Missing, n.Config = "", "there is no shell here: "+err.Error(), false
		}
	}
	l.add(n, by)
	switch {
	case flow.Commands && reach.Root.Value == "":
		l.add(Need{
			Kind: "folder", Name: "files.root", Missing: "there is no folder for commands to run in", Add: rt.FilesSetting, Config: true,
		}, by)
	case flow.Root:
		if root := reach.Root.Value; root != "" {
			l.add(Need{Kind: "folder", Name: root, From: "files.root"}.withProblem("it ", l.machine.Writable(root)), by)
		}
	}
}

// hostsLine returns the line that allows the hosts in skills and prompts; config is true if it can
// be added unchanged.
func (l *list) hostsLine() (line string, config bool) {
	if len(l.named) == 0 {
		return "http: {allow: [HOST]} to agentc.yaml, with each host that may be called", false
	}
	hosts := ir.Sorted(ir.Map(l.named, func(n namedHost) string { return n.host }))

	return "http: {allow: [" + strings.Join(hosts, ", ") + "]}", true
}

// addHost adds a host that a skill or a prompt mentions, if the http tools are on.
func (l *list) addHost(named namedHost) {
	if !builtin.HostsAreOn(l.program.Reach) {
		return
	}
	n := Need{Kind: "host", Name: named.host, From: "http.allow"}
	allowed := func(entry ir.Text) bool { return allowsHost(entry.Value, named.host) }
	if !slices.ContainsFunc(l.program.Reach.Hosts, allowed) {
		n.From, n.Missing = "", "http.allow does not have it"
		n.Add, n.Config = named.host+", in the list http.allow", true
	}
	l.add(n, named.by)
}

// addServer adds an MCP server. A server with nothing else missing is asked later.
func (l *list) addServer(by string, s *ir.Server) {
	n := Need{Kind: "server", Name: s.Name.Value, From: "agentc.lock"}
	isSet := true
	for _, name := range s.EnvVars() {
		l.addVariable("server "+s.Name.Value, name)
		isSet = isSet && l.machine.isSet(name)
	}
	switch {
	case s.Protocol == "":
		n.From, n.Missing, n.Add = "", "its tools are not pinned", "agentc mcp pin"
	case len(s.Command) > 0:
		n = n.withProblem("its command cannot be started: ", l.machine.Command(s.Command))
	}
	l.add(n, by)
	if n.Missing == "" && isSet && !l.isScripted && !slices.Contains(l.servers, s) {
		l.servers = append(l.servers, s)
	}
}

// askServers adds the problems that servers report.
func (l *list) askServers() {
	if l.machine.Ask == nil || len(l.servers) == 0 {
		return
	}
	for i, err := range l.machine.Ask(l.servers) {
		isOfServer := func(n Need) bool { return n.Kind == "server" && n.Name == l.servers[i].Name.Value }
		n := &l.needs[slices.IndexFunc(l.needs, isOfServer)]
		*n = n.withProblem("", err)
	}
}

// address matches a host in the URL of a page.
var address = regexp.MustCompile(`https?://([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(:[0-9]+)?`)

// hostsIn returns the hosts that a text mentions, sorted. It omits example hosts, and single words
// other than localhost without a port, which are placeholders.
func hostsIn(text string) []string {
	var hosts []string
	for _, match := range address.FindAllStringSubmatch(text, -1) {
		host, port := strings.ToLower(match[1]), match[2]
		isName := strings.Contains(host, ".") || host == "localhost" || port != ""
		if !isName || strings.HasSuffix("."+host, ".example.com") {
			continue
		}
		hosts = append(hosts, host+port)
	}

	return ir.Sorted(hosts)
}

// fromResults matches texts about addresses that they do not contain: "that URL", "each link", "the
// URLs of the results".
var fromResults = regexp.MustCompile(`(?i)\b(?:that|those|these|each|every|results?|returned|found)\b[^.\n]{0,40}\b(?:urls?|links?)\b|` +
	`\b(?:urls?|links?)\b[^.\n]{0,40}\b(?:results?|returned|found)\b`)

// opensFoundAddresses reports whether a skill with an http tool opens addresses from results, which
// the project refuses.
func (l *list) opensFoundAddresses(s *ir.Skill) bool {
	allowsAll := func(entry ir.Text) bool { return entry.Value == "*" || entry.Value == "*:*" }

	return fromResults.MatchString(s.Body.Value) && !slices.ContainsFunc(l.program.Reach.Hosts, allowsAll)
}

// allowsHost reports whether an entry of http.allow may allow a host. Entries for networks count as
// matches; the engine compares them.
func allowsHost(entry, host string) bool {
	entry = strings.ToLower(entry)
	for _, scheme := range []string{"https://", "http://"} {
		entry = strings.TrimPrefix(entry, scheme)
	}
	if strings.Contains(entry, "/") {
		return true
	}
	name, port, _ := strings.Cut(entry, ":")
	hostName, hostPort, _ := strings.Cut(host, ":")
	domain, isWildcard := strings.CutPrefix(name, "*.")
	isNamed := name == "*" || name == hostName || isWildcard && strings.HasSuffix(hostName, "."+domain)

	return isNamed && (port == "*" || isSamePort(port, hostPort))
}

// isSamePort reports whether two ports may be equal. "" is the port of the scheme.
func isSamePort(a, b string) bool {
	schemePorts := []string{"", "80", "443"}
	if a == "" || b == "" {
		return slices.Contains(schemePorts, a) && slices.Contains(schemePorts, b)
	}

	return a == b
}
