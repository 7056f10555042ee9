package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestAnswers(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if kind, ok := query["type"]; ok {
			w.Header()["Content-Type"] = kind
		} else {
			w.Header()["Content-Type"] = nil
		}
		if coding := query.Get("coding"); coding != "" {
			w.Header().Set("Content-Encoding", coding)
		}
		var status int
		if _, err := fmt.Sscan(query.Get("status"), &status); err == nil {
			w.WriteHeader(status)
		}
		_, _ = io.WriteString(w, query.Get("body"))
	})
	set := open(t, Tools{Allow: []string{s.host()}, MaxSize: 100})
	const (
		notText = "the answer is not text in UTF-8"
		cut     = "\n\n[The answer is cut here: it has more than the 100 bytes that are read of one.]"
	)
	for _, c := range []struct{ query, text, problem string }{
		{"body=plain", "plain", ""},
		{"type=text/html&body=<p>%C3%BC</p>", "ü", ""},
		{"type=text/html;charset=UTF-8&body=%EF%BB%BFx", "x", ""},
		{"type=application/json&body={}", "{}", ""},
		{"type=application/problem%2Bjson&body={}", "{}", ""},
		{"type=image/svg%2Bxml&body=<svg/>", "<svg/>", ""},
		{"type=APPLICATION/JSON&body={}", "{}", ""},
		{"type=application/octet-stream&body=text", "text", ""},
		{"type=;;;&body=text", "text", ""},
		{"type=text/html;;charset=x;charset=y&body=text", "text", ""},
		{"type=text/plain;charset=iso-8859-1&body=%FC%80", "ü€", ""},
		{"type=text/plain;charset=windows-1252&body=%9F", "Ÿ", ""},
		{"type=text/html&body=<meta+charset=latin1>%FC", "ü", ""},
		{"type=text/html&body=<meta+http-equiv=x+content='text/html;charset=latin1'>%FC", "ü", ""},
		{"body=", "The server answered 200 OK, without a text.", ""},
		{"status=204", "The server answered 204 No Content, without a text.", ""},
		{"status=201&body=made", "made", ""},
		{"status=299&body=x", "x", ""},
		{"body=" + strings.Repeat("x", 100), strings.Repeat("x", 100), ""},

		{"body=" + strings.Repeat("x", 101), strings.Repeat("x", 100) + cut, ""},
		{"body=x" + strings.Repeat("é", 50), "x" + strings.Repeat("é", 49) + cut, ""},
		{"type=text/html&body=<p>" + strings.Repeat("x", 90) + "</p></body>", strings.Repeat("x", 90) + cut, ""},
		{"type=text/html;charset=latin1&body=" + strings.Repeat("%FC", 101), strings.Repeat("ü", 100) + cut, ""},
		{"type=text/html&body=%FF" + strings.Repeat("x", 100), "", notText},
		{"type=image/png&body=x", "", "the answer is image/png, which is not text"},
		{"type=application/pdf&body=x", "", "the answer is application/pdf, which is not text"},
		{"type=application/zip&body=x", "", "the answer is application/zip, which is not text"},
		{"type=" + strings.Repeat("a", 100) + "/b&body=x", "", "the answer is " + strings.Repeat("a", 60) + "…, which is not text"},
		{"type=text/html&body=%FF%FE", "", notText},
		{"type=text/plain&body=a%00b", "", notText},
		{"type=application/octet-stream&body=%89PNG", "", notText},
		{"type=text/plain;charset=utf-16&body=x", "", `the answer is in "utf-16", which cannot be read here`},
		{"type=text/plain;charset=shift_jis&body=%FC", "", `the answer is in "shift_jis", which cannot be read here`},
		{"coding=br&body=x", "", `the answer is packed as "br", which was not asked for`},
		{"status=404&type=text/html&body=<h1>No</h1>", "", "the server answered 404 Not Found:\n\n# No"},
		{"status=429", "", "the server answered 429 Too Many Requests"},
		{"status=500&type=image/png&body=x", "", "the server answered 500 Internal Server Error"},
		{"status=503&body=" + strings.Repeat("x", 101), "", "the server answered 503 Service Unavailable:\n\n" + strings.Repeat("x", 100) + cut},
		{"status=304", "", "the server answered 304 Not Modified"},
		{"status=300&body=choose", "", "the server answered 300 Multiple Choices:\n\nchoose"},
		{"status=599&body=x", "", "the server answered 599:\n\nx"},
	} {
		if got := get(t, set, s.URL+"/?"+strings.ReplaceAll(c.query, ";", "%3B")); got.Text != c.text || got.Problem != c.problem {
			t.Errorf("%.60s: %q, %q", c.query, got.Text, got.Problem)
		}
	}
}

// TestPackedAnswer: what counts is the size of what is unpacked.
func TestPackedAnswer(t *testing.T) {
	packed := func(size int) []byte {
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
		zeros := bytes.Repeat([]byte("0"), 1<<20)
		for ; size > 0; size -= len(zeros) {
			_, _ = w.Write(zeros[:min(size, len(zeros))])
		}
		_ = w.Close()

		return out.Bytes()
	}
	small, bomb := packed(10), packed(100<<20)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "text/plain")
		if r.URL.Path == "/bomb" {
			_, _ = w.Write(bomb)
		} else {
			_, _ = w.Write(small)
		}
	})
	set := open(t, Tools{Allow: []string{s.host()}})
	if got := get(t, set, s.URL); got.Text != "0000000000" {
		t.Errorf("%+v", got)
	}
	if got := get(t, set, s.URL+"/bomb"); got.Problem != "" || !strings.HasSuffix(got.Text, "more than the 4194304 bytes that are read of one.]") {
		t.Errorf("%+v", got)
	}
}

// TestRawServers are servers that hardly speak HTTP: each writes its words and ends the connection, or writes on until nobody
// reads.
func TestRawServers(t *testing.T) {
	for name, c := range map[string]struct {
		words, more, want string
	}{
		"nothing":          {"", "", "ended the connection before its answer did"},
		"noise":            {"SSH-2.0-OpenSSH_9.6\r\n", "", "malformed HTTP"},
		"cut head":         {"HTTP/1.1 200 OK\r\nContent-", "", "has not answered"},
		"cut body":         {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", "", "ended the connection before its answer did"},
		"cut chunk":        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf", "", "ended the connection before its answer did"},
		"two lengths":      {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "", "has not answered"},
		"negative length":  {"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab", "", "has not answered"},
		"wrong chunk":      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "", "has not answered"},
		"endless head":     {"HTTP/1.1 200 OK\r\n", "X-A: " + strings.Repeat("x", 1000) + "\r\n", "exceeded 65536 bytes"},
		"endless line":     {"HTTP/1.1 200 OK\r\nX-A: ", strings.Repeat("x", 1000), "has not answered"},
		"endless body":     {"HTTP/1.1 200 OK\r\n\r\n", strings.Repeat("x", 1000), "is cut here"},
		"endless chunks":   {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "a\r\n0123456789\r\n", "is cut here"},
		"huge length":      {"HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n", strings.Repeat("x", 1000), "is cut here"},
		"endless informal": {"", "HTTP/1.1 103 Early Hints\r\nX-A: " + strings.Repeat("x", 1000) + "\r\n\r\n", "has not answered"},
		"other protocol":   {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", "", "101 Switching Protocols"},
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				go func() {
					defer conn.Close()
					_, _ = conn.Read(make([]byte, 4096))
					_, err := io.WriteString(conn, c.words)
					for err == nil && c.more != "" {
						_, err = io.WriteString(conn, c.more)
					}
				}()
			}
		}()
		host := listener.Addr().String()
		got := get(t, open(t, Tools{Allow: []string{host}}), "http://"+host)
		if c.want == "is cut here" && got.Problem == "" && len(got.Text) < 5<<20 {
			got.Problem, got.Text = got.Text[max(0, len(got.Text)-200):], ""
		}
		if got.Text != "" || !strings.Contains(got.Problem, c.want) || len(got.Problem) > 300 {
			t.Errorf("%s: %+v", name, got)
		}
		_ = listener.Close()
	}
}

func TestClosedPort(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := listener.Addr().String()
	_ = listener.Close()
	got := get(t, open(t, Tools{Allow: []string{host}}), "http://"+host)
	if !strings.HasPrefix(got.Problem, "127.0.0.1 has not answered: dial tcp "+host) {
		t.Errorf("%+v", got)
	}
}

// FuzzDecode looks for a body that becomes what is no text.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("<meta charset=latin1>\xfc"), "text/html", "")
	f.Add([]byte("\xef\xbb\xbfx"), "text/plain", "utf-8")
	f.Add([]byte("\x80\x9f\xff"), "text/plain", "windows-1252")
	f.Add([]byte("a\x00"), "", "ascii")
	f.Fuzz(func(t *testing.T, body []byte, kind, charset string) {
		text, problem := decodeText(body, kind, charset)
		if problem != "" && text != "" {
			t.Fatalf("%q is text and a problem: %q", body, problem)
		}
		if strings.ToValidUTF8(text, "") != text {
			t.Fatalf("%q became %q", body, text)
		}
	})
}
