package web

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// leading answers with a redirect to the parameter to, with the status of the parameter as.
func leading(w http.ResponseWriter, r *http.Request) {
	var status int
	if _, err := fmt.Sscan(r.FormValue("as"), &status); err != nil {
		repeat(w, r)

		return
	}
	w.Header()["Location"] = []string{r.FormValue("to")}
	w.WriteHeader(status)
}

func TestRedirectsAreChecked(t *testing.T) {
	inner := serve(t, answers("the inner server's secret"))
	s := serve(t, leading)
	// What is allowed is this server under its address, and whatever is public.
	set := open(t, Tools{Allow: []string{s.host(), "*:*"}})
	for to, want := range map[string]string{
		inner.URL:                     "is not among what the project lets the http tools reach",
		inner.named("localhost"):      "is not among what the project lets the http tools reach",
		inner.named("::1"):            "::1 at port " + inner.port() + " over http is not among",
		inner.named("::ffff:7f00:1"):  "is not among what the project lets the http tools reach",
		"http://169.254.169.254/":     "is not among what the project lets the http tools reach",
		"http://2130706433/":          "ends in a number",
		"//127.1/":                    "ends in a number",
		"file:///etc/passwd":          "a URL begins with http:// or https://",
		"gopher://127.0.0.1:70/x":     "a URL begins with http:// or https://",
		"javascript:alert(1)":         "a URL begins with http:// or https://",
		"http://me:pw@" + s.host():    "a user before its host",
		"http:///x":                   "no host",
		"http://" + s.host() + "\\@x": "failed to parse Location",
		"":                            "the server answered 302 Found",
	} {
		query := strings.NewReplacer("+", "%2B", "&", "%26", "#", "%23", "\\", "%5C", ":", "%3A").Replace(to)
		got := get(t, set, s.URL+"/?as=302&to="+query)
		if got.Text != "" || strings.Contains(got.Problem, "secret") {
			t.Errorf("%s: %+v", to, got)
		}
		if !strings.Contains(got.Problem, want) {
			t.Errorf("%s: %q, want %q", to, got.Problem, want)
		}
	}
	if n := inner.requests.Load(); n != 0 {
		t.Errorf("the inner server was asked %d times", n)
	}
}

// TestRedirectsStayEncrypted: an allowed server that is reached over https does not lead to another one over http, which is allowed, too.
func TestRedirectsStayEncrypted(t *testing.T) {
	plain := serve(t, answers("read by everybody"))
	s := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	defer s.Close()
	rules, err := parseRules([]string{"127.0.0.1:*"})
	if err != nil {
		t.Fatal(err)
	}
	c := &caller{hosts: hosts{rules, nil}, Tools: Tools{MaxSize: maxSize, Timeout: timeout}}
	client := newClient(c.hosts, nil, true)
	client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	got := c.sendAndRead(t.Context(), http.MethodGet, client, arguments{URL: s.URL}, &variables{})
	if want := "127.0.0.1 leads on from https to http, where anybody can read along"; got.Problem != want || got.Text != "" {
		t.Errorf("got %+v", got)
	}
	if n := plain.requests.Load(); n != 0 {
		t.Errorf("the plain server was asked %d times", n)
	}
}

func TestRedirectsEnd(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"x", http.StatusFound) })
	got := get(t, open(t, Tools{Allow: []string{s.host()}}), s.URL)
	if got.Problem != "127.0.0.1 leads on more than 5 times" || s.requests.Load() != mostRedirects+1 {
		t.Errorf("%+v after %d requests", got, s.requests.Load())
	}
}

func TestRedirectsAreFollowed(t *testing.T) {
	s, other := serve(t, leading), serve(t, leading)
	set := open(t, Tools{Allow: []string{s.host(), other.host()}})
	headers := `"headers":{"Authorization":"Bearer ${API_KEY}","X-A":"${API_KEY}","Accept":"text/plain","Cookie":"a=${API_KEY}"}`
	for _, c := range []struct {
		to, as, tool, want string
		// whole says that all headers went along.
		whole bool
	}{
		{"/end", "302", "http_get", "GET /end", true},
		{s.URL + "/end", "307", "http_get", "GET /end", true},
		{other.URL + "/end", "302", "http_get", "GET /end", false},
		{other.URL + "/?as=302&to=" + s.URL + "/end", "302", "http_get", "GET /end", false},
		{"/end", "303", "http_post", "GET /end", true},
		{"/end", "308", "http_post", "POST /end", true},
		{other.URL + "/end", "303", "http_post", "GET /end", false},
		{other.URL + "/end", "307", "http_post", "", false},
	} {
		body := ""
		if c.tool == "http_post" {
			body = `,"body":"${API_KEY}"`
		}
		to := strings.NewReplacer(":", "%3A", "/", "%2F", "?", "%3F", "&", "%26", "=", "%3D").Replace(c.to)
		got := run(t, set, c.tool, `{"url":"`+s.URL+`/?key=${API_KEY}&as=`+c.as+`&to=`+to+`",`+headers+body+`}`)
		if c.want == "" {
			if want := "127.0.0.1 leads the body on to " + other.host() + ": post it there"; got.Problem != want {
				t.Errorf("%+v: %+v", c, got)
			}

			continue
		}
		first, _, _ := strings.Cut(got.Text, "\n")
		if first != c.want || strings.Contains(got.Text, "[redacted API_KEY]") != c.whole || !strings.Contains(got.Text, "Accept: text/plain") {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// TestNoReferer: the URL of a request may hold a value, and the header would tell it to whom the answer leads on.
func TestNoReferer(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/end" {
			fmt.Fprintf(w, "referer %q", r.Referer())

			return
		}
		http.Redirect(w, r, "/end", http.StatusFound)
	})
	if got := get(t, open(t, Tools{Allow: []string{s.host()}}), s.URL+"/?key=${API_KEY}"); got.Text != `referer ""` {
		t.Errorf("%+v", got)
	}
}

// TestLocationIsData: what a server writes is not filled in.
func TestLocationIsData(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/end" {
			fmt.Fprint(w, r.URL.RawQuery)

			return
		}
		w.Header().Set("Location", "/end?${API_KEY}")
		w.WriteHeader(http.StatusFound)
	})
	got := get(t, open(t, Tools{Allow: []string{s.host()}}), s.URL)
	if got.Problem != "" || strings.Contains(got.Text, "live") || !strings.Contains(got.Text, "API_KEY") {
		t.Errorf("%+v", got)
	}
}
