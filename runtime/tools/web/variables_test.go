package web

import (
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestVariables(t *testing.T) {
	var seen []byte
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen, _ = json.Marshal([]string{r.URL.Query().Get("q"), r.Header.Get("X-A"), string(body), r.URL.Path})
		fmt.Fprint(w, "well")
	})
	set := open(t, Tools{Allow: []string{s.host()}})
	odd := env["ODD_KEY"]
	inJSONText, _ := json.Marshal(map[string]string{"k": "a" + odd})
	for _, c := range []struct {
		args    string
		seen    []string
		problem string
	}{
		{args: `{"url":"@/?q=${ODD_KEY}"}`, seen: []string{odd, "", "", "/"}},
		{args: `{"url":"@/a${ODD_KEY}b/c"}`, seen: []string{"", "", "", "/a" + odd + "b/c"}},
		{args: `{"url":"@/","headers":{"X-A":"Bearer ${API_KEY}, ${API_KEY}"}}`, seen: []string{"", "Bearer sk-live-0123456789, sk-live-0123456789", "", "/"}},
		{args: `{"url":"@/","headers":{"X-A":"$${API_KEY} $$ $API_KEY ${} ${1} $(API_KEY)"}}`, seen: []string{"", "${API_KEY} $$ $API_KEY ${} ${1} $(API_KEY)", "", "/"}},
		{args: `{"url":"@/","body":"{\"k\":\"a${ODD_KEY}\"}"}`, seen: []string{"", "", string(inJSONText), "/"}},
		{args: `{"url":"@/","body":"k=${ODD_KEY}","headers":{"Content-Type":"application/x-www-form-urlencoded"}}`, seen: []string{"", "", "k=" + url.QueryEscape(odd), "/"}},
		{args: `{"url":"@/","body":"${ODD_KEY} ${other} ${HOME_KEY} $${API_KEY}"}`, seen: []string{"", "", odd + " ${other} ${HOME_KEY} ${API_KEY}", "/"}},

		{args: `{"url":"@/?q=${HOME_KEY}"}`, problem: "${HOME_KEY} is not a variable that a skill with this tool declares in env"},
		{args: `{"url":"@/","headers":{"X-A":"${PATH}"}}`, problem: "${PATH} is not a variable that a skill with this tool declares in env"},
		{args: `{"url":"@/","headers":{"X-A":"${UNSET}"}}`, problem: "the variable UNSET is not set"},
		{args: `{"url":"@/","body":"${UNSET}"}`, problem: "the variable UNSET is not set"},
		{args: `{"url":"@/","headers":{"X-A":"${BROKEN}"}}`, problem: "the value of header X-A has a line break or another control character"},
		{args: `{"url":"@/","headers":{"${API_KEY}":"x"}}`, problem: `"${API_KEY}" is not the name of a header`},
		{args: `{"url":"http://${API_KEY}/"}`, problem: "the URL cannot be read"},
		{args: `{"url":"http://${API_KEY}@127.0.0.1/"}`, problem: "the URL cannot be read"},
		{args: `{"url":"${API_KEY}"}`, problem: "a URL begins with http:// or https://"},
	} {
		seen = nil
		tool := "http_get"
		if strings.Contains(c.args, `"body"`) {
			tool = "http_post"
		}
		got := run(t, set, tool, strings.ReplaceAll(c.args, "@/", s.URL+"/"))
		want := []byte(nil)
		if c.seen != nil {
			want, _ = json.Marshal(c.seen)
		}
		if string(seen) != string(want) || got.Problem != c.problem {
			t.Errorf("%s: the server saw %s, want %s; %+v", c.args, seen, want, got)
		}
	}
}

// TestWhereValuesGo: not to whom only * allows, and over http only to this machine and where an entry says http.
func TestWhereValuesGo(t *testing.T) {
	for _, c := range []struct {
		allow, url string
		goes       bool
	}{
		{"api.test", "https://api.test", true},
		{"*.test", "https://api.test", true},
		{"api.test", "http://api.test", false},
		{"http://api.test", "http://api.test", true},
		{"*", "https://api.test", false},
		{"https://*", "https://api.test", false},
		{"10.0.0.0/8", "http://10.0.0.1", false},
		{"10.0.0.0/8", "https://10.0.0.1", true},
		{"127.0.0.1", "http://127.0.0.1", true},
		{"localhost", "http://localhost", true},
	} {
		rules, err := parseRules([]string{c.allow})
		if err != nil {
			t.Fatal(err)
		}
		caller := &caller{hosts: hosts{rules, nil}, Tools: Tools{MaxSize: maxSize}}
		for _, in := range []arguments{
			{URL: c.url + "/?${API_KEY}"},
			{URL: c.url, Headers: json.RawMessage(`{"X-A":"${API_KEY}"}`)},
			// A dollar can be written so that a search of the arguments would not find it.
			{URL: c.url, Headers: json.RawMessage(`{"X-A":"\u0024{API_KEY}"}`)},
			{URL: c.url, Body: "x ${API_KEY}"},
		} {
			v := &variables{allowed: declared, env: func(name string) (string, bool) { return env[name], true }}
			_, err := caller.newRequest(t.Context(), http.MethodPost, in, v)
			if goes := err == nil && len(v.used) == 1; goes != c.goes {
				t.Errorf("%+v, %+v: %v, %v", c, in, goes, err)
			}
			if !c.goes && (err == nil || !strings.HasPrefix(err.Error(), "${API_KEY} is not sent to ")) {
				t.Errorf("%+v: %v", c, err)
			}
		}
	}
}

// TestResultsShowNoValues lets a server send back what it was sent in every form, and fail in every way.
func TestResultsShowNoValues(t *testing.T) {
	const value = "sk-live-0123456789"
	forms := map[string]string{
		"/plain": value, "/json": `{"k":"` + value + `"}`, "/url": url.QueryEscape(value), "/base64": base64.StdEncoding.EncodeToString([]byte("u:" + value)),
		"/escaped": strings.ReplaceAll(value, "-", "%2d"),
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/status":
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, "no such key: "+value)
		case "/type":
			w.Header().Set("Content-Type", "image/"+value)
		case "/location":
			w.Header().Set("Location", "http://"+value+".test:99/"+value)
			w.WriteHeader(http.StatusFound)
		case "/broken":
			conn, _, _ := w.(http.Hijacker).Hijack()
			fmt.Fprint(conn, "HTTP/1.1 "+value+"\r\n\r\n")
			_ = conn.Close()
		default:
			fmt.Fprint(w, forms[r.URL.Path])
		}
	})
	set := open(t, Tools{Allow: []string{s.host()}})
	paths := []string{"/status", "/type", "/location", "/broken"}
	for path := range forms {
		paths = append(paths, path)
	}
	for _, path := range paths {
		got := get(t, set, s.URL+path+"?k=${API_KEY}")
		text := got.Text + got.Problem
		if strings.Contains(text, "0123456789") || !strings.Contains(text, "[redacted API_KEY]") {
			t.Errorf("%s: %+v", path, got)
		}
	}
	s.Close()
	if got := get(t, set, s.URL+"/?k=${API_KEY}"); got.Problem == "" || strings.Contains(got.Problem, "live") {
		t.Errorf("without a server: %+v", got)
	}
}

// TestValuesOverTLS sends a value to a name over https, by HTTP/2 as well.
func TestValuesOverTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %d %v", r.Proto, len(r.Header.Get("Authorization")), r.TLS != nil)
	}))
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that are meant to fail
	s.StartTLS()
	defer s.Close()
	u, _ := url.Parse(s.URL)
	rules, _ := parseRules([]string{"example.com:*", "127.0.0.1:*"})
	c := &caller{hosts: hosts{rules, nil}, Tools: Tools{MaxSize: maxSize, Timeout: timeout}}
	in := arguments{URL: "https://example.com:" + u.Port(), Headers: json.RawMessage(`{"Authorization":"${API_KEY}"}`)}
	resolver := serveNames(t, addrs("127.0.0.1"))
	client := newClient(c.hosts, resolver, true)
	ask := func() string {
		v := &variables{allowed: declared, env: func(name string) (string, bool) { return env[name], true }}
		got := c.sendAndRead(t.Context(), http.MethodGet, client, in, v)

		return got.Text + got.Problem
	}

	if got := ask(); !strings.HasPrefix(got, "the certificate of example.com does not fit: x509: ") {
		t.Errorf("a certificate of nobody's: %q", got)
	}
	client = newClient(c.hosts, resolver, true)
	client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	if got, want := ask(), "HTTP/2.0 18 true"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	in.URL = "https://127.0.0.1:" + u.Port()
	if got := ask(); got != "HTTP/2.0 18 true" {
		t.Errorf("by address: %q", got)
	}
	in.URL = strings.Replace(in.URL, "https", "http", 1)
	if got := ask(); got != "the server answered 400 Bad Request:\n\nClient sent an HTTP request to an HTTPS server.\n" {
		t.Errorf("without TLS: %q", got)
	}
}
