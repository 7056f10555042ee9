package anthropic_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
)

// llm is a model with a role.
func llm(url string) model.Model {
	return model.Model{Role: "fast", Name: "anthropic:m", Provider: "anthropic", ID: "m", BaseURL: url}
}

// TestKeys: the first variable that is set has the key; one that cannot be one, or is not there where it is needed, is known before
// anything is sent, and the error names the variable and not the key.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		url  string
		vars []string
		want string // the key that is sent; * for a *model.CredentialError
	}{
		{"", nil, "*"},
		{"", []string{"ANTHROPIC_API_KEY", "two words"}, "*"},
		{"http", nil, ""},
		{"http", []string{"ANTHROPIC_API_KEY", secret + "\n"}, secret},
		{"http", []string{"ANTHROPIC_API_KEY", "x", "AGENTC_PROVIDER_ANTHROPIC_API_KEY", "y"}, "y"},
		{"http", []string{"ANTHROPIC_API_KEY", "x", "AGENTC_MODEL_FAST_API_KEY", "z"}, "z"},
		{"http", []string{"ANTHROPIC_API_KEY", "none"}, ""},
	} {
		s := wiretest.Serve(t, sayHello)
		url := c.url
		if url == "http" {
			url = s.URL
		}
		p, err := anthropic.Open(llm(url), env(c.vars...))
		var missing *model.CredentialError
		if c.want == "*" {
			if !errors.As(err, &missing) || missing.Variables[0] != "ANTHROPIC_API_KEY" {
				t.Errorf("%q: %v", c.vars, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Chat(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
		if got := s.Requests()[0].Header.Get("X-Api-Key"); got != c.want {
			t.Errorf("%q: %q", c.vars, got)
		}
	}
}

// TestNothingOfTheSDKsOwn: the SDK's variables, files and profiles have no say.
func TestNothingOfTheSDKsOwn(t *testing.T) {
	other := wiretest.Serve(t, sayHello)
	home := t.TempDir()
	for name, value := range map[string]string{
		"ANTHROPIC_BASE_URL": other.URL, "ANTHROPIC_AUTH_TOKEN": secret, "ANTHROPIC_PROFILE": "x", "HOME": home, "XDG_CONFIG_HOME": home,
		"ANTHROPIC_CUSTOM_HEADERS": "X-Secret: " + secret, "ANTHROPIC_API_KEY": secret,
	} {
		t.Setenv(name, value)
	}
	s := wiretest.Serve(t, sayHello)
	p, err := anthropic.Open(llm(s.URL), env())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Chat(t.Context(), hello()); err != nil {
		t.Fatal(err)
	}
	h := s.Requests()[0].Header
	if len(other.Requests()) > 0 || h.Get("Authorization")+h.Get("X-Api-Key")+h.Get("X-Secret") != "" {
		t.Errorf("%d requests elsewhere, %v", len(other.Requests()), h)
	}
	if files, err := os.ReadDir(home); err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}

// TestAddresses: an address may end before /v1, with it or with all of the path; a query is kept.
func TestAddresses(t *testing.T) {
	for end, want := range map[string]string{
		"": "/v1/messages", "/": "/v1/messages", "/v1": "/v1/messages", "/v1/": "/v1/messages", "/v1/messages": "/v1/messages",
		"/gateway/anthropic": "/gateway/anthropic/v1/messages", "/v1?key=a%2Fb": "/v1/messages",
	} {
		s := wiretest.Serve(t, sayHello)
		if _, err := open(t, s.URL+end, anthropic.Options{}).Chat(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
		r := s.Requests()[0]
		if r.Path != want || (r.Query == "key=a%2Fb") != (end == "/v1?key=a%2Fb") {
			t.Errorf("%s: %s?%s", end, r.Path, r.Query)
		}
	}
}

// TestTraceparent: a server learns where in a trace it is asked, and nothing where nobody traces.
func TestTraceparent(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	m := open(t, s.URL, anthropic.Options{})
	for i, want := range []string{"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", ""} {
		ctx := runtime.WithCall(t.Context(), func() runtime.CallInfo { return runtime.CallInfo{Traceparent: want} })
		if _, err := m.Chat(ctx, hello()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Requests()[i].Header["Traceparent"], ","); got != want {
			t.Errorf("%q", got)
		}
	}
}

// TestBadSettings: what cannot be understood is an error that names the setting.
func TestBadSettings(t *testing.T) {
	for _, c := range []struct{ url, name, value string }{
		{"ftp://x", "base_url of provider anthropic", "ftp://x"},
		{"https://me:pw@x", "base_url of provider anthropic", "(not shown)"},
		{"http://x", "AGENTC_PROVIDER_ANTHROPIC_THINKING", "much"},
		{"http://x", "AGENTC_PROVIDER_ANTHROPIC_THINKING", "1023"},
		{"http://x", "AGENTC_PROVIDER_ANTHROPIC_TIMEOUT", "soon"},
	} {
		_, err := anthropic.Open(llm(c.url), env(c.name, c.value))
		var bad *runtime.BadSettingError
		if !errors.As(err, &bad) || bad.Name != c.name || bad.Value != c.value {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestAddressOfTheProvidersOwnVariable: ANTHROPIC_BASE_URL counts where no address is configured.
func TestAddressOfTheProvidersOwnVariable(t *testing.T) {
	own, other := wiretest.Serve(t, sayHello), wiretest.Serve(t, sayHello)
	for _, configured := range []string{"", other.URL} {
		if _, err := open(t, configured, anthropic.Options{}, "ANTHROPIC_BASE_URL", own.URL).Chat(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
	}
	if len(own.Requests()) != 1 || len(other.Requests()) != 1 {
		t.Errorf("%d requests to the variable's address, %d to the configured one", len(own.Requests()), len(other.Requests()))
	}
}
