package web

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
)

// anyPort is the port of an entry that counts for every port.
const anyPort = -1

// rule is an entry of http.allow.
type rule struct {
	// scheme is http or https; "" for both.
	scheme string
	// name is a name, in lower case; with below every name below it; "*" every name.
	name  string
	below bool
	// network is set where the entry is an address or a network, which has no name.
	network netip.Prefix
	// port is 0 for the port that belongs to the scheme.
	port int
}

// parseRule reads an entry; the problem is what is wrong with it.
func parseRule(entry string) (r rule, problem string) {
	rest := strings.ToLower(entry)
	if scheme, after, ok := strings.Cut(rest, "://"); ok {
		if scheme != "http" && scheme != "https" {
			return rule{}, "begins with neither http:// nor https://"
		}
		r.scheme, rest = scheme, after
	}
	if network, err := netip.ParsePrefix(rest); err == nil {
		r.network = netip.PrefixFrom(network.Addr().Unmap(), network.Bits()).Masked()
		if !r.network.IsValid() {
			return rule{}, "is not a network"
		}

		return r, ""
	}

	host, port, problem := splitPort(rest)
	if problem != "" {
		return rule{}, problem
	}
	r.port = port
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.Zone() != "" {
			return rule{}, "has a zone"
		}
		addr = unwrapIPv4(addr)
		r.network = netip.PrefixFrom(addr, addr.BitLen())

		return r, ""
	}
	if host == "*" {
		r.name = host

		return r, ""
	}
	host, r.below = strings.CutPrefix(host, "*.")
	r.name = strings.TrimSuffix(host, ".")
	if problem := nameProblem(r.name); problem != "" {
		return rule{}, problem + "; an entry is a host, such as api.example.com, *.example.com or localhost:8080"
	}

	return r, ""
}

// splitPort cuts the port off an entry: 0 if there is none.
func splitPort(entry string) (host string, port int, problem string) {
	if _, err := netip.ParseAddr(entry); err == nil {
		return entry, 0, "" // the last colon of an IPv6 address is no port's
	}
	if after, ok := strings.CutPrefix(entry, "["); ok {
		host, rest, ok := strings.Cut(after, "]")
		addr, err := netip.ParseAddr(host)
		isAddress := ok && err == nil && addr.Is6()
		hasPort := rest == "" || rest[0] == ':'
		if !isAddress || !hasPort {
			return "", 0, "has brackets that hold no IPv6 address"
		}
		port, problem := parsePort(rest)

		return host, port, problem
	}
	if at := strings.LastIndexByte(entry, ':'); at >= 0 {
		port, problem := parsePort(entry[at:])

		return entry[:at], port, problem
	}

	return entry, 0, ""
}

// parsePort reads a port with the colon before it, or nothing.
func parsePort(text string) (port int, problem string) {
	switch text {
	case "":
		return 0, ""
	case ":*":
		return anyPort, ""
	}
	number, err := strconv.ParseUint(text[1:], 10, 16)
	if err != nil || number == 0 {
		return 0, "has no port behind its colon: write a number, or * for every port"
	}

	return int(number), ""
}

// nameProblem returns what keeps a text in lower case from being a name of the net; "" if nothing
// does.
func nameProblem(name string) string {
	if name == "" {
		return "names no host"
	}
	if len(name) > 253 {
		return "is too long for a host"
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 {
			return "has a part between dots that is empty or too long"
		}
		for _, c := range []byte(label) {
			isLetter := 'a' <= c && c <= 'z'
			isDigit := '0' <= c && c <= '9'
			if !isLetter && !isDigit && c != '-' && c != '_' {
				return "has a character that no host has; names in other alphabets are written as xn--…"
			}
		}
	}
	// What ends in a number is an address to some resolvers: 127.1, 0x7f.1 and 2130706433 are this
	// machine.
	if last := labels[len(labels)-1]; last[0] >= '0' && last[0] <= '9' {
		return "ends in a number and is not an address of the form 10.0.0.7"
	}

	return ""
}

// parseRules reads http.allow. Errors: *runtime.BadSettingError.
func parseRules(entries []string) ([]rule, error) {
	rules := make([]rule, len(entries))
	for i, entry := range entries {
		r, problem := parseRule(entry)
		if problem != "" {
			return nil, &runtime.BadSettingError{Name: "http.allow", Value: entry, Problem: problem}
		}
		rules[i] = r
	}

	return rules, nil
}

// allowsURL reports whether the entry counts for an address of the web.
func (r rule) allowsURL(u *url.URL, t target) bool {
	if r.scheme != "" && r.scheme != u.Scheme {
		return false
	}
	if r.port != anyPort && t.port != r.port && (r.port != 0 || t.port != defaultPort(u.Scheme)) {
		return false
	}

	return r.namesHost(t)
}

// namesHost reports whether the entry names the host.
func (r rule) namesHost(t target) bool {
	switch {
	case r.network.IsValid():
		return t.addr.IsValid() && r.hasAddress(t.addr)
	case r.name == "*":
		return isPublic(t.addr) || t.name != "" && t.name != localhost
	case t.addr.IsValid():
		return false
	case r.below:
		return strings.HasSuffix(t.name, "."+r.name)
	}

	return t.name == r.name
}

// hasAddress reports whether the entry is of an address, or of a network that has it.
func (r rule) hasAddress(addr netip.Addr) bool {
	return r.network.Contains(addr) && (r.network.IsSingleIP() || !isWithin(metadata, addr))
}

// mayDial reports whether a name may lead to an address because of the entry. A network counts for
// every port, since its entry cannot have one.
func (r rule) mayDial(addr netip.Addr, port int) bool {
	if !r.hasAddress(addr) {
		return false
	}
	atDefault := r.port == 0 && (port == defaultPort("http") || port == defaultPort("https"))

	return !r.network.IsSingleIP() || r.port == anyPort || r.port == port || atDefault
}

// takesVariables reports whether values of variables may be sent to what the entry allows.
func (r rule) takesVariables(u *url.URL, t target) bool {
	if r.name == "*" {
		return false
	}

	return u.Scheme == "https" || r.scheme == "http" || t.isThisMachine()
}
