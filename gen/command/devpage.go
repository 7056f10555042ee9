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

// devState is what the page of agentc dev shows in addition to a run.
type devState struct {
	// Checked is the number of problems in words; Diagnostics lists them.
	Checked     string    `json:"checked"`
	Diagnostics []devLink `json:"diagnostics"`
	Picture     string    `json:"picture,omitempty"`
	// Busy is the current activity, Build the output of a failed build, Problem another problem.
	Busy    string `json:"busy,omitempty"`
	Build   string `json:"build,omitempty"`
	Problem string `json:"problem,omitempty"`
	// BuildErrors are the positions in Build.
	BuildErrors []devLink `json:"faults,omitempty"`
	// Run is the run to show, Effects summarizes its effects.
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

// diagnosticLinks returns diagnostics as the page shows them.
func (d *dev) diagnosticLinks(findings []*diag.Diagnostic) []devLink {
	links := []devLink{}
	for _, f := range findings {
		link := devLink{Severity: f.Severity.String(), Message: f.Message, Check: f.Check.Name}
		if f.Hint != "" {
			link.Message += ": " + f.Hint
		}
		if f.Span.IsValid() {
			pos := f.Span.Pos()
			link.Place = fmt.Sprintf("%s:%d:%d", d.p.label(d.c)(f.Span.File.Path), pos.Line, pos.Column)
			link.Link = d.editorLink(d.p.absolutePath(f.Span.File.Path), strconv.Itoa(pos.Line), strconv.Itoa(pos.Column))
		}
		links = append(links, link)
	}

	return links
}

// editorLink returns a link that opens a file in the editor.
func (d *dev) editorLink(path, line, column string) string {
	values := strings.NewReplacer("{file}", (&url.URL{Path: path}).EscapedPath(), "{line}", line, "{column}", column)

	return values.Replace(cmp.Or(d.c.Flag("editor"), devEditor))
}

var buildErrorLine = regexp.MustCompile(`(?m)^(\S.*\.go):(\d+):(\d+): (.+)$`)

// buildErrorLinks returns the lines of the output of go build that have a position.
func (d *dev) buildErrorLinks(output string) []devLink {
	var links []devLink
	for _, m := range buildErrorLine.FindAllStringSubmatch(output, -1) {
		path := filepath.FromSlash(m[1])
		if !filepath.IsAbs(path) {
			path = filepath.Join(d.p.dir, path)
		}
		place := strings.TrimPrefix(fmt.Sprintf("%s:%s:%s", filepath.ToSlash(m[1]), m[2], m[3]), "./")
		links = append(links, devLink{Severity: "error", Place: place, Link: d.editorLink(path, m[2], m[3]), Message: m[4], Check: "go build"})
	}

	return links
}

// devPage serves the page and its state, and forwards other requests to the server of the runs.
type devPage struct {
	dev      *dev
	listener net.Listener
	server   *http.Server

	mu    sync.Mutex
	state devState
	// changed is closed when the state changes.
	changed chan struct{}
	target  *devServer
}

// openDevPage starts to serve the page.
func openDevPage(d *dev) (*devPage, error) {
	p := &devPage{dev: d, changed: make(chan struct{}), state: devState{Diagnostics: []devLink{}}}
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
	mux.HandleFunc("GET /dev/state", p.streamState)
	mux.HandleFunc("POST /dev/test", p.serveWriteTest)
	mux.Handle("/", &httputil.ReverseProxy{Rewrite: p.rewriteRequest, FlushInterval: -1, ErrorHandler: p.serveNotBuilt})
	mux.HandleFunc("GET /{$}", p.servePage)
	p.server = &http.Server{Handler: p.refuseOtherSites(mux), ReadHeaderTimeout: longestEnd}
	go func() { _ = p.server.Serve(p.listener) }() // it ends when it is closed

	return p, nil
}

func (p *devPage) address() string { return p.listener.Addr().String() }

// refuseOtherSites refuses requests of pages of other sites, whatever host name they use for this
// machine.
func (p *devPage) refuseOtherSites(h http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	_, port, _ := net.SplitHostPort(p.address())

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := *r
		if r.URL.Path != "/" {
			request.Method = http.MethodPost // other sites may not read either
		}
		isOwnHost := r.Host == p.address() || r.Host == "localhost:"+port
		if protection.Check(&request) != nil || !isOwnHost {
			http.Error(w, "requests of pages of another origin are refused", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// servePage serves the page. Its script requests the data.
func (p *devPage) servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	w.Header().Set("Cache-Control", "no-store")
	_ = (&page.Page{Title: "agentc dev", Served: true, Dev: true}).Write(w) // the client may have disconnected
}

// updateState changes the state, and wakes the streams of it.
func (p *devPage) updateState(update func(s *devState)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	update(&p.state)
	close(p.changed)
	p.changed = make(chan struct{})
}

// streamState sends the state, and sends it again whenever it changes.
func (p *devPage) streamState(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for r.Context().Err() == nil {
		p.mu.Lock()
		text, err := json.Marshal(p.state)
		news := p.changed
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

// serveWriteTest writes a run as a script and a test.
func (p *devPage) serveWriteTest(w http.ResponseWriter, r *http.Request) {
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

// setServer sets the server of the runs, nil while none serves.
func (p *devPage) setServer(to *devServer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = to
}

// rewriteRequest forwards a request to the server of the runs.
func (p *devPage) rewriteRequest(r *httputil.ProxyRequest) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, name := range []string{"Origin", "Sec-Fetch-Site", "Authorization"} { // the origin is checked here
		r.Out.Header.Del(name)
	}
	if p.target == nil {
		r.Out.URL.Host = "" // it has no host, so the proxy cannot reach it
		return
	}
	r.SetURL(p.target.address)
	r.Out.Header.Set("Authorization", "Bearer "+p.target.token)
}

// serveNotBuilt answers while no program serves.
func (p *devPage) serveNotBuilt(w http.ResponseWriter, _ *http.Request, _ error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusServiceUnavailable)
	_ = json.NewEncoder(w).Encode(map[string]string{"type": "NotBuiltError", "message": errNotBuilt.Error()})
}
