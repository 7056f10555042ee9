package remote

import (
	"net"
	"net/url"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Address is where requests go.
type Address struct {
	// URL is where a reply is asked for, Shown the same without a query, which may hold what nobody should read.
	URL, Shown string
	// Secure says https, Here that the host is this machine, Own that it is the provider's own address.
	Secure, Here, Own bool
}

// Remote reports whether a server is likely to want a key: it is on another machine and not in a network that is trusted with
// plain text.
func (a Address) Remote() bool { return a.Secure && !a.Here }

// ParseAddress finds the address of a model: its base_url, else the provider's own. path makes the path at which a reply is asked for
// of that of the base_url, which has no slash at its end.
func ParseAddress(m model.Model, own string, path func(base string) string) (Address, error) {
	base := m.BaseURL
	if base == "" {
		base = own
	}
	bad := func(problem string) (Address, error) {
		name := "base_url of provider " + m.Provider
		if strings.Contains(base, "@") {
			return Address{}, &runtime.BadSettingError{Name: name, Value: "(not shown)", Problem: problem}
		}

		return Address{}, &runtime.BadSettingError{Name: name, Value: base, Problem: problem}
	}
	if base == "" {
		return bad("is not an address: set providers." + m.Provider + ".base_url in agentc.yaml, or " +
			"AGENTC_PROVIDER_" + VariableName(m.Provider) + "_BASE_URL")
	}

	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "":
		return bad("is not an address such as https://host/v1")
	case u.Scheme != "http" && u.Scheme != "https":
		return bad("does not begin with http:// or https://")
	case u.User != nil:
		return bad("has a name or a password in it: a key stands in a variable")
	}

	a := Address{Secure: u.Scheme == "https", Here: loopback(u.Hostname())}
	a.URL, a.Shown = at(u, path)
	if o, err := url.Parse(own); err == nil && own != "" {
		_, shown := at(o, path)
		a.Own = a.Shown == shown
	}

	return a, nil
}

// at is an address with the path of what is asked for, and how it is shown.
func at(base *url.URL, path func(string) string) (full, shown string) {
	u := *base
	u.Path, u.RawPath, u.Fragment, u.RawFragment = path(strings.TrimRight(u.Path, "/")), "", "", ""
	full = u.String()
	u.RawQuery, u.ForceQuery = "", false

	return full, u.String()
}

// loopback reports whether a host is this machine by its name.
func loopback(host string) bool {
	ip := net.ParseIP(host)

	return ip != nil && ip.IsLoopback() || strings.EqualFold(host, "localhost")
}
