package web

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/tools"
)

func TestAllow(t *testing.T) {
	for _, c := range []struct {
		allow string
		// reached are URLs that may be reached, those before | with values of variables; refused are URLs that may not.
		reached, refused string
	}{
		{
			"api.example.com",
			"https://api.example.com/x https://API.Example.COM./ https://api.example.com:443/ | http://api.example.com http://api.example.com:80",
			"https://example.com https://x.api.example.com https://api.example.com.evil.com https://api-example.com https://api.example.com:8443 " +
				"http://api.example.com:443 https://api.example.com:80 https://evil.com/api.example.com https://evil.com?api.example.com " +
				"https://api.example.com@evil.com https://api.example.com:443@evil.com ftp://api.example.com https://10.0.0.1",
		},
		{
			"*.example.com",
			"https://a.example.com https://a.b.example.com https://-.example.com | http://a.example.com",
			"https://example.com https://aexample.com https://.example.com https://a.example.com.evil.com https://a..example.com",
		},
		{
			"*", "| https://example.com http://example.com https://1.1.1.1 https://[2606:4700::1111] https://api.localhost",
			"https://example.com:8443 http://localhost http://LOCALHOST. http://127.0.0.1 http://10.0.0.1 http://169.254.169.254 http://[::1] " +
				"http://0.0.0.0 http://0 http://2130706433 http://0x7f000001 http://0177.0.0.1 http://127.1 http://127.0.0.01 " +
				"http://[::ffff:127.0.0.1] http://[::ffff:7f00:1] http://[64:ff9b::127.0.0.1] http://[2002:7f00:1::] http://[::] " +
				"http://[fe80::1%25eth0] http://[fc00::1] http://168.63.129.16 http://100.64.0.1 http://localhost.1",
		},
		{"*:*", "| https://example.com:8443 http://example.com:1", "http://localhost:8080 http://127.0.0.1:8080"},
		{
			"localhost:8080", "http://localhost:8080 http://LocalHost.:8080 https://localhost:8080",
			"http://localhost http://127.0.0.1:8080 http://a.localhost:8080",
		},
		{"localhost:*", "http://localhost:1 https://localhost", "http://127.0.0.1"},
		{
			"127.0.0.1:8080", "http://127.0.0.1:8080 http://[::ffff:127.0.0.1]:8080 http://[64:ff9b::7f00:1]:8080",
			"http://localhost:8080 http://127.0.0.1 http://127.0.0.2:8080",
		},
		{"[::1]:8080", "http://[::1]:8080 http://[0:0:0:0:0:0:0:1]:8080", "http://[::1] http://localhost:8080"},
		{"::1", "http://[::1]", "http://[::1]:8080 http://[::2]"},
		{"10.0.0.0/8", "https://10.1.2.3 | http://10.1.2.3", "http://10.1.2.3:8080 http://11.0.0.1 http://example.com"},
		{"169.254.0.0/16", "https://169.254.1.1 | http://169.254.1.1", "http://169.254.169.254 http://169.254.170.2"},
		{"169.254.169.254", "| http://169.254.169.254", "http://169.254.169.253"},
		{"https://api.example.com", "https://api.example.com", "http://api.example.com"},
		{"http://api.internal:8080", "http://api.internal:8080", "https://api.internal:8080 http://api.internal"},
		{"HTTPS://API.Example.com.:8443", "https://api.example.com:8443", "https://api.example.com"},
		{"xn--bcher-kva.example", "https://xn--bcher-kva.example", "https://bücher.example"},
	} {
		rules, err := parseRules([]string{c.allow})
		if err != nil {
			t.Fatal(err)
		}
		h := hosts{rules, []string{c.allow}}
		with, without, _ := strings.Cut(c.reached, "|")
		if c.reached != "" && with == c.reached {
			without = ""
		}
		for i, list := range []string{with, without, c.refused} {
			for _, text := range strings.Fields(list) {
				reached, variables := false, false
				if u, err := url.Parse(text); err == nil {
					_, variables, err = h.checkURL(u)
					reached = err == nil
				}
				if reached != (i < 2) || variables != (i == 0) {
					t.Errorf("%s and %s: reached %v, with variables %v", c.allow, text, reached, variables)
				}
			}
		}
	}
}

func TestBadEntries(t *testing.T) {
	for entry, want := range map[string]string{
		"":                              "names no host",
		":8080":                         "names no host",
		"*.":                            "names no host",
		"https://":                      "names no host",
		"ftp://example.com":             "begins with neither",
		"example.com/path":              "character that no host has",
		"https://example.com/":          "character that no host has",
		"user@example.com":              "character that no host has",
		"exa mple.com":                  "character that no host has",
		"a.*.example.com":               "character that no host has",
		"**":                            "character that no host has",
		"bücher.example":                "character that no host has",
		"${HOST}":                       "character that no host has",
		"example..com":                  "empty or too long",
		".example.com":                  "empty or too long",
		strings.Repeat("a", 64):         "empty or too long",
		strings.Repeat("a.", 127) + "b": "too long for a host",
		"example.com:":                  "no port",
		"example.com:0":                 "no port",
		"example.com:65536":             "no port",
		"example.com:+80":               "no port",
		"example.com:http":              "no port",
		"127.1":                         "ends in a number",
		"2130706433":                    "ends in a number",
		"0x7f.1":                        "ends in a number",
		"10.0.0.256":                    "ends in a number",
		"10.0.0.0/33":                   "character that no host has",
		"::ffff:10.0.0.0/90":            "is not a network",
		"[::1":                          "brackets",
		"[::1]8080":                     "brackets",
		"[10.0.0.1]":                    "brackets",
		"[]":                            "brackets",
		"fe80::1%eth0":                  "zone",
		"10.0.0.0/8:8080":               "character that no host has",
	} {
		_, err := tools.On(Tools{Allow: []string{"example.com", entry}})(nil)
		var bad *runtime.BadSettingError
		if !errors.As(err, &bad) || bad.Name != "http.allow" || bad.Value != entry || !strings.Contains(bad.Problem, want) {
			t.Errorf("%q: %v, want %q", entry, err, want)
		}
	}
}

func TestNothingAllowed(t *testing.T) {
	_, _, err := open(t, Tools{}).Run(t.Context(), getCall("https://example.com"))
	if runtime.ErrorType(err) != "OffError" {
		t.Errorf("without an entry: %v", err)
	}
}

// FuzzRule looks for entries that are read in a way that nobody means.
func FuzzRule(f *testing.F) {
	for _, entry := range []string{
		"api.example.com", "*.example.com", "*", "*:*", "10.0.0.0/8", "[::1]:8080", "::1", "localhost:*", "https://a.b:1", "127.1", "0x7f.1",
		"::ffff:10.0.0.0/104", "a:b:c", "[", "]:1", "*.*", "0.0.0.0/0",
	} {
		f.Add(entry)
	}
	f.Fuzz(func(t *testing.T, entry string) {
		r, problem := parseRule(entry)
		if problem != "" {
			return
		}
		if r.network.IsValid() == (r.name != "") {
			t.Fatalf("%q is both a name and an address, or neither: %+v", entry, r)
		}
		if r.port < anyPort || r.port > 65535 {
			t.Fatalf("%q has port %d", entry, r.port)
		}
		for _, c := range []byte(r.name) {
			if c >= 'A' && c <= 'Z' || strings.IndexByte("/@:[]%\\ \t\r\n", c) >= 0 {
				t.Fatalf("%q has the name %q", entry, r.name)
			}
		}
		if again, problem := parseRule(strings.ToUpper(entry)); problem != "" || again != r {
			t.Fatalf("%q is another entry in upper case: %+v, %q", entry, again, problem)
		}
	})
}

// FuzzTarget looks for a URL that is let through and leads elsewhere, as the client reads it.
func FuzzTarget(f *testing.F) {
	for _, text := range []string{
		"https://api.example.com/x?y#z", "https://a.example.org:443", "http://api.example.com\\@evil.com", "https://api.example.com@evil.com",
		"https://evil.com#@api.example.com", "https://evil.com?.example.org", "//api.example.com", "https:api.example.com", "https:///api.example.com",
		"https://api.example.com%2eevil.com", "https://api.example.com%00.evil.com", "https://[::ffff:1.2.3.4]", "https://a.example.org.", "HTTPS://A.EXAMPLE.ORG",
		"https://api。example。com", "https://ａpi.example.com", "https://evil.com/.example.org", "https://a.example.org:0443/", "https://a.example.org:/",
	} {
		f.Add(text)
	}
	rules, err := parseRules([]string{"api.example.com", "*.example.org"})
	if err != nil {
		f.Fatal(err)
	}
	c := &caller{hosts: hosts{rules, nil}}
	f.Fuzz(func(t *testing.T, text string) {
		v := &variables{}
		if c.checkAddress(text, v) != nil {
			return
		}
		u, err := expandURL(text, v)
		if err != nil {
			return // a variable that is not declared
		}
		again, err := url.Parse(u.String())
		if err != nil || again.Host != u.Host {
			t.Fatalf("%q leads to %q, and then to %v, %v", text, u.Host, again, err)
		}
		host, port := strings.TrimSuffix(strings.ToLower(again.Hostname()), "."), again.Port()
		if host != "api.example.com" && !strings.HasSuffix(host, ".example.org") {
			t.Fatalf("%q leads to %q", text, host)
		}
		if again.User != nil || again.Scheme != "http" && again.Scheme != "https" {
			t.Fatalf("%q became %q", text, again)
		}
		if port = strings.TrimLeft(port, "0"); port != "" && port != map[string]string{"http": "80", "https": "443"}[again.Scheme] {
			t.Fatalf("%q leads to port %q", text, port)
		}
	})
}
