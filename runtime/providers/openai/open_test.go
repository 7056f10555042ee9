package openai_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// TestKeys: the first variable that is set has the key: the role's, the provider's, its own; white space around it is dropped.
func TestKeys(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	for _, c := range []struct {
		provider, role string
		env            []string
		want           string
	}{
		{
			"openai", "code-critic",
			[]string{"OPENAI_API_KEY", "c", "AGENTC_PROVIDER_OPENAI_API_KEY", "b", "AGENTC_MODEL_CODE_CRITIC_API_KEY", "a"}, "a",
		},
		{"openai", "worker", []string{"TAMA_MODEL_WORKER_API_KEY", "a", "AGENTC_PROVIDER_OPENAI_API_KEY", "b"}, "a"},
		{
			"openai", "",
			[]string{"OPENAI_API_KEY", "c", "AGENTC_PROVIDER_OPENAI_API_KEY", "b", "AGENTC_MODEL_WORKER_API_KEY", "a"}, "b",
		},
		{"openai", "worker", []string{"OPENAI_API_KEY", "c", "TAMA_PROVIDER_OPENAI_API_KEY", "b"}, "b"},
		{"openai", "worker", []string{"OPENAI_API_KEY", " \tc\r\n", "AGENTC_PROVIDER_OPENAI_API_KEY", ""}, "c"},
		{"openai", "worker", []string{"OPENAI_API_KEY", "none"}, ""},
		{"openai", "worker", nil, ""},
		{"gemini", "worker", []string{"GOOGLE_API_KEY", "g"}, "g"},
		{"google", "worker", []string{"GOOGLE_API_KEY", "g", "GEMINI_API_KEY", "h"}, "h"},
		{"llamacpp", "worker", []string{"LLAMA_API_KEY", "l"}, "l"},
		{"my-own", "worker", []string{"MY_OWN_API_KEY", "m", "OPENAI_API_KEY", "c"}, "m"},
		{"ollama", "worker", []string{"OPENAI_API_KEY", "c"}, ""},
	} {
		p, err := openai.Options{Env: env(c.env...)}.Open(model.Model{
			Role: c.role, Name: c.provider + ":m", Provider: c.provider, ID: "m", BaseURL: s.URL,
		}, os.LookupEnv)
		if err == nil {
			_, err = p.Chat(t.Context(), hello())
		}
		all := s.Requests()
		if got := strings.TrimPrefix(all[len(all)-1].Header.Get("Authorization"), "Bearer "); err != nil || got != c.want {
			t.Errorf("%s, %s, %q: %q, %v", c.provider, c.role, c.env, got, err)
		}
	}
}

// TestKeysThatCannotBe: a key that is missing where one is needed, or that no header can hold, is found when the model is opened;
// the error names variables and never has the key.
func TestKeysThatCannotBe(t *testing.T) {
	const part = "sk-secret"
	for _, c := range []struct {
		provider, address string
		env               []string
		want              string
	}{
		{"openai", "", nil, `provider "openai" needs a key: set OPENAI_API_KEY, or run with --script FILE`},
		{"gemini", "", nil, `provider "gemini" needs a key: set GEMINI_API_KEY or GOOGLE_API_KEY, or run with --script FILE`},
		{"vllm", "https://gpu.example", []string{"VLLM_API_KEY", " \n"}, `provider "vllm" needs a key: set VLLM_API_KEY, or run`},
		{
			"openai", "", []string{"OPENAI_API_KEY", part + "\nHost: x"},
			`the key of provider "openai" in OPENAI_API_KEY cannot be one: it has a line break`,
		},
		{"openai", "", []string{"OPENAI_API_KEY", part + "\r" + part}, "cannot be one"},
		{"openai", "", []string{"OPENAI_API_KEY", part + "\x00"}, "cannot be one"},
		{"openai", "", []string{"OPENAI_API_KEY", part + " " + part}, "cannot be one"},
		{"openai", "", []string{"OPENAI_API_KEY", part + "é"}, "cannot be one"},
		{"openai", "", []string{"OPENAI_API_KEY", part + "\xff"}, "cannot be one"},
		{"ollama", "", []string{"OLLAMA_API_KEY", part + "\n" + part}, "OLLAMA_API_KEY cannot be one"},
	} {
		_, err := openai.Options{Env: env(c.env...)}.Open(model.Model{
			Name: c.provider + ":m", Provider: c.provider, ID: "m", BaseURL: c.address,
		}, os.LookupEnv)
		var wrong *model.CredentialError
		if !errors.As(err, &wrong) || wrong.Provider != c.provider || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), part) {
			t.Errorf("%s, %q: %v", c.provider, c.env, err)
		}
	}
	for provider, address := range map[string]string{
		"ollama": "", "vllm": "", "llamacpp": "", "openai": "https://127.0.0.1:1/v1", "any": "http://gpu/v1",
	} {
		if _, err := (openai.Options{Env: env()}).Open(model.Model{Provider: provider, ID: "m", BaseURL: address}, os.LookupEnv); err != nil {
			t.Errorf("%s at %q: %v", provider, address, err)
		}
	}
}

// TestAddresses: requests go where the address says, to chat completions there.
func TestAddresses(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	for address, want := range map[string]string{
		"":                                 "/v1/chat/completions",
		"/":                                "/v1/chat/completions",
		"/v1":                              "/v1/chat/completions",
		"/v1///":                           "/v1/chat/completions",
		"/api/v1":                          "/api/v1/chat/completions",
		"/v1/chat/completions":             "/v1/chat/completions",
		"/v1/chat/completions/":            "/v1/chat/completions",
		"/deploy/d?api-version=2024-10-21": "/deploy/d/chat/completions?api-version=2024-10-21",
		"/v1#part":                         "/v1/chat/completions",
		"/a%2Fb":                           "/a/b/chat/completions",
	} {
		if _, err := openAs(t, "any", "m", s.URL+address, openai.Options{}).Chat(t.Context(), hello()); err != nil {
			t.Errorf("%q: %v", address, err)
		}
		all := s.Requests()
		last := all[len(all)-1]
		got := last.Path
		if last.Query != "" {
			got += "?" + last.Query
		}
		if got != want || last.Method != "POST" || last.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%q: %s %s", address, last.Method, got)
		}
	}
}

// TestSettingsThatCannotBe: an address or a duration that cannot be is found when the model is opened; a password in an address is
// not repeated.
func TestSettingsThatCannotBe(t *testing.T) {
	for _, c := range []struct{ provider, address, timeout, want string }{
		{
			"any", "", "",
			`base_url of provider any: "" is not an address: set providers.any.base_url in agentc.yaml, or AGENTC_PROVIDER_ANY_BASE_URL`,
		},
		{"any", "://x", "", "is not an address such as https://host/v1"},
		{"any", "https://", "", "is not an address"},
		{"any", "https://:80/v1", "", "is not an address"},
		{"any", "http://host:port/v1", "", "is not an address"},
		{"any", "ftp://host/v1", "", "does not begin with http:// or https://"},
		{"any", "https://user:hunter2@host/v1", "", "has a name or a password in it"},
		{"any", "https://hunter2@host:x/v1", "", "is not an address"},
		{"my-own", "http://localhost", "soon", `AGENTC_PROVIDER_MY_OWN_TIMEOUT: "soon" is not a duration above 0`},
		{"my-own", "http://localhost", "-5m", "is not a duration above 0"},
		{"my-own", "http://localhost", "0s", "is not a duration above 0"},
	} {
		_, err := openai.Options{Env: env("AGENTC_PROVIDER_MY_OWN_TIMEOUT", c.timeout)}.Open(model.Model{
			Name: c.provider + ":m", Provider: c.provider, ID: "m", BaseURL: c.address,
		}, os.LookupEnv)
		var bad *runtime.BadSettingError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", c.address, err)
		}
	}
}

// TestTimeoutOfTheEnvironment: the variable of a provider bounds its calls.
func TestTimeoutOfTheEnvironment(t *testing.T) {
	s := wiretest.Serve(t, wiretest.Mute())
	m := openAs(t, "ollama", "m", s.URL, openai.Options{Env: env("AGENTC_PROVIDER_OLLAMA_TIMEOUT", "50ms")})
	_, err := m.Chat(t.Context(), hello())
	if e := modelError(t, err); e.Class != model.Timeout {
		t.Error(e)
	}
	has(t, err.Error(), "longer than 50ms")
}

// TestOrganisation: what names an organisation goes to OpenAI's own address and to no other.
func TestOrganisation(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	vars := env("OPENAI_API_KEY", secret, "OPENAI_ORG_ID", "org-1", "OPENAI_PROJECT_ID", "bad\nvalue")
	elsewhere := openai.Options{Env: vars, Transport: to(s)}
	for address, want := range map[string]string{"": "org-1", "https://elsewhere.example/v1": ""} {
		if _, err := openAs(t, "openai", "m", address, elsewhere).Chat(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
		all := s.Requests()
		h := all[len(all)-1].Header
		if h.Get("OpenAI-Organization") != want || h.Get("OpenAI-Project") != "" {
			t.Errorf("%q: %v", address, h)
		}
	}
}

// TestOpensFromTheEnvironment: a program opens models with the environment of the process.
func TestOpensFromTheEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", secret)
	p, err := openai.Open(model.Model{Name: "openai:m", Provider: "openai", ID: "m"}, os.LookupEnv)
	if err != nil || p == nil {
		t.Error(err)
	}
}

// TestAddressOfTheProvidersOwnVariable: what every library of OpenAI reads counts for that provider, below what is set for agentc.
func TestAddressOfTheProvidersOwnVariable(t *testing.T) {
	own, other := wiretest.Serve(t, sayHello), wiretest.Serve(t, sayHello)
	for _, c := range []struct {
		provider, configured string
		want                 *wiretest.Server
	}{
		{"openai", "", own},
		{"openai", other.URL, other},
		{"acme", other.URL, other},
	} {
		before := len(c.want.Requests())
		p, err := openai.Options{Env: env("OPENAI_BASE_URL", own.URL+"/v1")}.Open(model.Model{
			Provider: c.provider, ID: "m", BaseURL: c.configured,
		}, os.LookupEnv)
		if err == nil {
			_, err = p.Chat(t.Context(), hello())
		}
		if err != nil || len(c.want.Requests()) != before+1 {
			t.Errorf("%s, configured %q: %v, asked elsewhere", c.provider, c.configured, err)
		}
	}
	_, err := openai.Options{Env: env("OPENAI_BASE_URL", "localhost:8080")}.Open(model.Model{Provider: "openai", ID: "m"}, os.LookupEnv)
	var bad *runtime.BadSettingError
	if !errors.As(err, &bad) || bad.Name != "OPENAI_BASE_URL" {
		t.Errorf("an address that is none: %v", err)
	}
}
