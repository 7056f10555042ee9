package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	mostRedirects = 5
	// longestHead is the length in bytes that the head of an answer may have.
	longestHead = 64 << 10
	idleTimeout = 30 * time.Second
)

// newClient returns a client that dials nothing but what h lets it.
func newClient(h hosts, resolver *net.Resolver, keepAlive bool) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			// There is no Proxy: it would dial instead of us.
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				return dialChecked(ctx, h, resolver, network, address)
			},
			ForceAttemptHTTP2:      true,
			DisableKeepAlives:      !keepAlive,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        idleTimeout,
			MaxResponseHeaderBytes: longestHead,
		},
		CheckRedirect: h.checkRedirect,
	}
}

// dialChecked connects after it has checked each address of the name. The checked address is the
// dialled one, so that a name that leads elsewhere the next moment gains nothing.
func dialChecked(ctx context.Context, h hosts, resolver *net.Resolver, network, address string) (net.Conn, error) {
	name, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	dialer := net.Dialer{Resolver: resolver, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return newRefusal("%s leads to %s, which is not an address", name, address)
		}

		return h.checkAddress(name, to)
	}}

	return dialer.DialContext(ctx, network, address)
}

// kept are the headers that may go along to another host; all others may identify the caller.
var kept = []string{"Accept", "Accept-Language", "Content-Type", "User-Agent"}

// checkRedirect checks where an answer leads on to as the first address was checked, and takes out
// of the request what is not for another host. Errors: *refusal.
func (h hosts) checkRedirect(to *http.Request, via []*http.Request) error {
	from := via[len(via)-1]
	if len(via) > mostRedirects {
		return newRefusal("%s leads on more than %d times", via[0].URL.Hostname(), mostRedirects)
	}
	if from.URL.Scheme == "https" && to.URL.Scheme == "http" {
		return newRefusal("%s leads on from https to http, where anybody can read along", from.URL.Hostname())
	}
	if _, _, err := h.checkURL(to.URL); err != nil {
		return newRefusal("%s leads on elsewhere: %v", from.URL.Hostname(), err)
	}

	to.Header.Del("Referer") // the URL may hold values of variables
	if sameOrigin(via, to) {
		return nil
	}
	if to.Body != nil {
		return newRefusal("%s leads the body on to %s: post it there", from.URL.Hostname(), to.URL.Host)
	}
	only := http.Header{}
	for _, name := range kept {
		if values := to.Header.Values(name); values != nil {
			only[name] = values
		}
	}
	to.Header = only

	return nil
}

// sameOrigin reports whether all requests so far have gone where the next one goes: one stop
// elsewhere, and nobody knows who it was that led back.
func sameOrigin(via []*http.Request, to *http.Request) bool {
	return !slices.ContainsFunc(via, func(r *http.Request) bool {
		return r.URL.Scheme != to.URL.Scheme || !strings.EqualFold(r.URL.Host, to.URL.Host)
	})
}
