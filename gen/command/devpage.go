package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
)

// devState is what the page of agentc dev shows beside a run.
type devState struct {
	// Checked says how many problems there are, which Diagnostics are.
	Checked     string    `json:"checked"`
	Diagnostics []devLink `json:"diagnostics"`
	Picture     string    `json:"picture,omitempty"`
	// Busy is what is done just now, Build the output of the last build if that failed, Problem
	// another problem.
	Busy    string `json:"busy,omitempty"`
	Build   string `json:"build,omitempty"`
	Problem string `json:"problem,omitempty"`
	// Faults are the places that Build names.
	Faults []devLink `json:"faults,omitempty"`
	// Run is the run to show, Effects says which of its effects were carried out.
	Run     string `json:"run,omitempty"`
	Effects string `json:"effects,omitempty"`
}

// devLink is a diagnostic with a link to the editor.
type devLink struct {
	Severity string `json:"severity"`
	Place    string `json:"place,omitempty"`
	Link     string `json:"link,omitempty"`
	Message  string `json:"message"`
	Check    string `json:"check,omitempty"`
}

// links are diagnostics as the page shows them.
func (d *dev) links(findings []*diag.Diagnostic) []devLink {
	links := []devLink{}
	for _, f := range findings {
		link := devLink{Severity: f.Severity.String(), Message: f.Message, Check: f.Check.Name}
		if f.Hint != "" {
			link.Message += ": " + f.Hint
		}
		if f.Span.IsValid() {
			pos := f.Span.Pos()
			link.Place = fmt.Sprintf("%s:%d:%d", d.p.label(d.c)(f.Span.File.Path), pos.Line, pos.Column)
			link.Link = d.editor(d.p.path(f.Span.File.Path), strconv.Itoa(pos.Line), strconv.Itoa(pos.Column))
		}
		links = append(links, link)
	}

	return links
}

// editor is a link that opens a file in the editor.
func (d *dev) editor(path, line, column string) string {
	values := strings.NewReplacer("{file}", (&url.URL{Path: path}).EscapedPath(), "{line}", line, "{column}", column)

	return values.Replace(cmp.Or(d.c.Flag("editor"), devEditor))
}

var faultIn = regexp.MustCompile(`(?m)^(\S.*\.go):(\d+):(\d+): (.+)$`)

// faults are the lines of what go build prints that name a place in a file.
func (d *dev) faults(output string) []devLink {
	var links []devLink
	for _, m := range faultIn.FindAllStringSubmatch(output, -1) {
		path := filepath.FromSlash(m[1])
		if !filepath.IsAbs(path) {
			path = filepath.Join(d.p.dir, path)
		}
		place := strings.TrimPrefix(fmt.Sprintf("%s:%s:%s", filepath.ToSlash(m[1]), m[2], m[3]), "./")
		links = append(links, devLink{Severity: "error", Place: place, Link: d.editor(path, m[2], m[3]), Message: m[4], Check: "go build"})
	}

	return links
}

// devPage serves the page, what it shows, and the runs of the program that serves them.
type devPage struct {
	dev      *dev
	listener net.Listener
	server   *http.Server

	mu    sync.Mutex
	state devState
	// news is closed when the state changes.
	news chan struct{}
	to   *devServer
}

// openDevPage begins to serve the page.
func openDevPage(d *dev) (*devPage, error) {
	p := &devPage{dev: d, news: make(chan struct{}), state: devState{Diagnostics: []devLink{}}}
	var err error
	p.listener, err = net.Listen("tcp", cmp.Or(d.c.Flag("addr"), devAddress))
	if errors.Is(err, syscall.EADDRINUSE) && !d.c.On("addr") {
		p.listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, d.c.Errorf(cli.Problem, "--addr: %v", err)
	}
	if at, ok := p.listener.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		_ = p.listener.Close()
		return nil, d.c.Usagef("--addr %s: the page is for this machine only, as in %s", d.c.Flag("addr"), devAddress)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /dev/state", p.stream)
	mux.HandleFunc("POST /dev/test", p.writeTest)
	mux.Handle("/", &httputil.ReverseProxy{Rewrite: p.rewrite, FlushInterval: -1, ErrorHandler: p.unreachable})
	mux.HandleFunc("GET /{$}", p.shell)
	p.server = &http.Server{Handler: p.own(mux), ReadHeaderTimeout: longestEnd}
	go func() { _ = p.server.Serve(p.listener) }() // it ends when it is closed

	return p, nil
}

func (p *devPage) address() string { return p.listener.Addr().String() }

// own refuses requests of other sites' pages, by any name that they may have for this machine.
func (p *devPage) own(h http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	_, port, _ := net.SplitHostPort(p.address())

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := *r
		if r.URL.Path != "/" {
			asked.Method = http.MethodPost // pages of others may not read either
		}
		if protection.Check(&asked) != nil || r.Host != p.address() && r.Host != "localhost:"+port {
			http.Error(w, "a page of another origin asks", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// shell is the page. It has no data, which its script requests.
func (p *devPage) shell(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	w.Header().Set("Cache-Control", "no-store")
	_ = (&page.Page{Title: "agentc dev", Served: true, Dev: true}).Write(w) // a client that has gone needs no error
}

// change changes what the page shows.
func (p *devPage) change(how func(s *devState)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	how(&p.state)
	close(p.news)
	p.news = make(chan struct{})
}

// stream sends what the page shows, whenever that changes.
func (p *devPage) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for r.Context().Err() == nil {
		p.mu.Lock()
		text, err := json.Marshal(p.state)
		news := p.news
		p.mu.Unlock()
		if err == nil {
			_, err = fmt.Fprintf(w, "data: %s\n\n", text)
		}
		if err != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-news:
		case <-r.Context().Done():
		}
	}
}

// writeTest writes a run as a script and a test.
func (p *devPage) writeTest(w http.ResponseWriter, r *http.Request) {
	var in struct{ Run string }
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<10)).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	done := make(chan string, 1)
	p.dev.work <- func(ctx context.Context) { done <- p.dev.writeTest(ctx, in.Run, "") }
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"message": <-done})
}

// proxy has the program answer that serves now; nil while none does.
func (p *devPage) proxy(to *devServer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to = to
}

// rewrite sends a request on to the program.
func (p *devPage) rewrite(r *httputil.ProxyRequest) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, name := range []string{"Origin", "Sec-Fetch-Site", "Authorization"} { // the origin is checked here
		r.Out.Header.Del(name)
	}
	if p.to == nil {
		r.Out.URL.Host = "" // which cannot be reached
		return
	}
	r.SetURL(p.to.address)
	r.Out.Header.Set("Authorization", "Bearer "+p.to.token)
}

// unreachable answers while no program serves.
func (p *devPage) unreachable(w http.ResponseWriter, _ *http.Request, _ error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusServiceUnavailable)
	_ = json.NewEncoder(w).Encode(map[string]string{"type": "NotBuiltError", "message": errNotBuilt.Error()})
}
