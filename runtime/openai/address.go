package openai

import (
	"net"
	"net/url"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/local"
)

// address is where requests go.
type address struct {
	// url is that of chat completions, shown the same without a query, which may hold what nobody should read.
	url, shown string
	// secure says https, here that the host is this machine, own that it is the provider's own address.
	secure, here, own bool
}

// remote reports whether a server is likely to want a key: it is on another machine and not in a network that is trusted with
// plain text.
func (a address) remote() bool { return a.secure && !a.here }

// completions is what every server calls the thing that this package asks for.
const completions = "/chat/completions"

// parseAddress finds the address of a model. An address without a path is that of a server whose interface begins at /v1.
func parseAddress(m local.Model, known kind) (address, error) {
	base := m.BaseURL
	if base == "" {
		base = known.baseURL
	}
	bad := func(problem string) (address, error) {
		name := "base_url of provider " + m.Provider
		if strings.Contains(base, "@") {
			return address{}, &runtime.BadSettingError{Name: name, Value: "(not shown)", Problem: problem}
		}

		return address{}, &runtime.BadSettingError{Name: name, Value: base, Problem: problem}
	}
	if base == "" {
		return bad("is not an address: set providers." + m.Provider + ".base_url in agentc.yaml, or " +
			"AGENTC_PROVIDER_" + variableName(m.Provider) + "_BASE_URL")
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

	path := strings.TrimRight(u.Path, "/")
	if path == "" {
		path = "/v1"
	}
	u.Path, u.RawPath, u.Fragment, u.RawFragment = strings.TrimSuffix(path, completions)+completions, "", "", ""
	shown := *u
	shown.RawQuery, shown.ForceQuery = "", false

	return address{
		url: u.String(), shown: shown.String(), secure: u.Scheme == "https", here: loopback(u.Hostname()),
		own: known.baseURL != "" && shown.String() == known.baseURL+completions,
	}, nil
}

// loopback reports whether a host is this machine by its name.
func loopback(host string) bool {
	ip := net.ParseIP(host)

	return ip != nil && ip.IsLoopback() || strings.EqualFold(host, "localhost")
}
