package web

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// longestURL is the length in bytes that servers take.
const longestURL = 8192

// localhost is the name of this machine.
const localhost = "localhost"

// target is whom a request goes to: a name or an address, and a port.
type target struct {
	// name is in lower case and without a dot at its end; "" for an address.
	name string
	addr netip.Addr
	port int
}

func (t target) String() string {
	if t.addr.IsValid() {
		return t.addr.String()
	}

	return t.name
}

// isThisMachine reports whether the target is this machine, by what it is called.
func (t target) isThisMachine() bool {
	return t.name == localhost || t.addr.IsValid() && t.addr.IsLoopback()
}

func defaultPort(scheme string) int {
	if scheme == "https" {
		return 443
	}

	return 80
}

// refusal is an address that is not reached, and why, in a sentence for a model.
type refusal struct{ reason string }

func (e *refusal) Error() string { return e.reason }

func newRefusal(format string, args ...any) error { return &refusal{fmt.Sprintf(format, args...)} }

// targetOf reads whom a URL leads to. Errors: *refusal.
func targetOf(u *url.URL) (target, error) {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return target{}, newRefusal("a URL begins with http:// or https://")
	case u.Opaque != "" || u.Host == "":
		return target{}, newRefusal("the URL has no host")
	case u.User != nil:
		return target{}, newRefusal("the URL has a user before its host: send it in a header")
	}

	t := target{port: defaultPort(u.Scheme)}
	if text := u.Port(); text != "" || strings.HasSuffix(u.Host, ":") {
		port, err := strconv.ParseUint(text, 10, 16)
		if err != nil || port == 0 {
			return target{}, newRefusal("the URL has no port behind its colon")
		}
		t.port = int(port)
	}

	host := strings.ToLower(u.Hostname())
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.Zone() != "" {
			return target{}, newRefusal("the URL has an address with a zone")
		}
		t.addr = unwrapIPv4(addr)

		return t, nil
	}
	t.name = strings.TrimSuffix(host, ".")
	if problem := nameProblem(t.name); problem != "" {
		return target{}, newRefusal("the host %q %s", t.name, problem)
	}

	return t, nil
}

// hosts is what may be reached.
type hosts struct {
	rules []rule
	// entries are the rules as the project wrote them.
	entries []string
}

// checkURL says whom a URL leads to, if that may be reached, and whether values of variables may go
// there. Errors: *refusal.
func (h hosts) checkURL(u *url.URL) (t target, variables bool, err error) {
	t, err = targetOf(u)
	if err != nil {
		return target{}, false, err
	}
	allowed := false
	for _, r := range h.rules {
		if r.allowsURL(u, t) {
			allowed = true
			variables = variables || r.takesVariables(u, t)
		}
	}
	if !allowed {
		return target{}, false, newRefusal(
			"%s at port %d over %s is not among what the project lets the http tools reach, which is %s",
			t, t.port, u.Scheme, strings.Join(h.entries, ", "))
	}

	return t, variables, nil
}

// checkAddress returns an error unless a connection to a host, which check has let through, may be
// made to an address: the host's name may have led anywhere. Errors: *refusal.
func (h hosts) checkAddress(host string, to netip.AddrPort) error {
	addr := unwrapIPv4(to.Addr())
	if isPublic(addr) {
		return nil
	}
	for _, r := range h.rules {
		if r.mayDial(addr, int(to.Port())) {
			return nil
		}
	}
	// check lets the name localhost through only where an entry has it.
	if host == localhost && addr.IsLoopback() {
		return nil
	}

	return newRefusal("%s leads to %s, which is %s: it is reached only if http.allow has that address", host, addr, describeAddress(addr))
}
