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
	// URL is where a reply is asked for; Shown is the same without a query, which may hold a
	// secret.
	URL, Shown string
	// Secure says https, Here that the host is this machine, Own that it is the provider's own address.
	Secure, Here, Own bool
}

// Remote reports whether a server is likely to want a key: it is on another machine and not in a network that is trusted with
// plain text.
func (a Address) Remote() bool { return a.Secure && !a.Here }

// parseAddress finds the address of a model: its base_url, else that of the variable of the provider's libraries, else the provider's own.
func parseAddress(m model.Model, known Known, env func(name string) (value string, ok bool)) (Address, error) {
	base, name := m.BaseURL, "base_url of provider "+m.Provider
	if base == "" && known.BaseURLVariable != "" {
		base, _ = env(known.BaseURLVariable)
		if base != "" {
			name = known.BaseURLVariable
		}
	}
	if base == "" {
		base = known.BaseURL
	}
	bad := func(problem string) (Address, error) {
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
		return bad("has a name or a password in it: a key belongs in a variable")
	}

	a := Address{Secure: u.Scheme == "https", Here: loopback(u.Hostname())}
	a.URL, a.Shown = at(u, known.Path)
	if own, err := url.Parse(known.BaseURL); err == nil && known.BaseURL != "" {
		_, shown := at(own, known.Path)
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
