package openai_test

import (
	"crypto/tls"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// TestCertificates: a server is asked only if its certificate is for it and from somebody who is trusted; one that does not fit is
// not tried again, and the server never sees a request.
func TestCertificates(t *testing.T) {
	s := wiretest.ServeTLS(t, sayHello)
	trusting := transport(func(x *http.Transport) { x.TLSClientConfig = &tls.Config{RootCAs: s.Roots} })
	for name, c := range map[string]struct {
		address   string
		transport http.RoundTripper
		says      string
	}{
		"from nobody":      {s.URL, nil, "unknown authority"},
		"for another name": {"https://localhost" + s.Port(), trusting, "not localhost"},
		"no TLS":           {"https://127.0.0.1" + wiretest.Serve(t, sayHello).Port(), nil, "HTTP response to HTTPS client"},
	} {
		_, err := openAs(t, "openai", "m", c.address+"/v1", openai.Options{Transport: c.transport}).Chat(t.Context(), hello())
		e := modelError(t, err)
		if e.Class != model.Other || !strings.Contains(e.Error(), "the server cannot be trusted") ||
			!strings.Contains(e.Error(), c.says) {
			t.Errorf("%s: %s: %v", name, e.Class, e)
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests came through", n)
	}

	reply, err := openAs(t, "openai", "m", s.URL, openai.Options{Transport: trusting}).Chat(t.Context(), hello())
	if err != nil || reply.Text != "Hello to you." {
		t.Errorf("one that is trusted: %+v, %v", reply, err)
	}
}

// TestProxy: a proxy of the environment is used, and gets no key: it sees a tunnel. That of the standard library reads the
// environment once, so this is a proxy of a transport.
func TestProxy(t *testing.T) {
	proxy := wiretest.Serve(t, wiretest.JSON(407, `{}`))
	via, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	through := transport(func(x *http.Transport) { x.Proxy = http.ProxyURL(via) })
	_, err = openAs(t, "openai", "m", "https://api.example/v1", openai.Options{Transport: through}).Chat(t.Context(), hello())
	if e := modelError(t, err); e.Class != model.Network {
		t.Error(e)
	}
	all := proxy.Requests()
	if len(all) != 1 || all[0].Method != "CONNECT" || strings.Contains(strings.Join(all[0].Header["Authorization"], ""), secret) {
		t.Errorf("the proxy saw %+v", all)
	}
}
