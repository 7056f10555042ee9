package preflight

import (
	"regexp"
	"slices"
	"strings"
)

// address is how a text names a host: in the address of a page.
var address = regexp.MustCompile(`https?://([A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9])(:[0-9]+)?`)

// hostsIn returns the hosts that a text names, sorted. Those of examples are none.
func hostsIn(text string) []string {
	var hosts []string
	for _, match := range address.FindAllStringSubmatch(text, -1) {
		host := strings.ToLower(match[1])
		if !strings.Contains(host, ".") || strings.HasSuffix("."+host, ".example.com") {
			continue
		}
		hosts = append(hosts, host+match[2])
	}
	slices.Sort(hosts)

	return slices.Compact(hosts)
}

// allows reports whether an entry of http.allow may be about a host. Ports and networks are the engine's to compare: what may fit does.
func allows(entry, host string) bool {
	entry = strings.ToLower(entry)
	for _, scheme := range []string{"https://", "http://"} {
		entry = strings.TrimPrefix(entry, scheme)
	}
	name, _, _ := strings.Cut(entry, ":")
	of, _, _ := strings.Cut(host, ":")
	below, wild := strings.CutPrefix(name, "*.")

	return name == "*" || name == of || wild && strings.HasSuffix(of, "."+below) || strings.Contains(entry, "/")
}
