package wiretest

import (
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Request is a request as it came in.
type Request struct {
	Method, Path, Query, Host string
	Header                    http.Header
	Body                      []byte
	// Gone is closed when the caller who asked has left.
	Gone <-chan struct{}
}

// Answer writes the response to a request.
type Answer func(w http.ResponseWriter, r *Request)

// ServeHTTP implements http.Handler: each request gets the answer.
func (a Answer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the caller has left during the question
	}
	a(w, &Request{
		Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Host: r.Host, Header: r.Header.Clone(), Body: body,
		Gone: r.Context().Done(),
	})
}

// Server answers each request with the next of its answers, the last one again and again.
type Server struct {
	// URL is where it listens: https with the server's certificate if it is one of [ServeTLS].
	URL string
	// Roots trust the server's certificate; nil without one.
	Roots *x509.CertPool

	mu       sync.Mutex
	answers  []Answer
	requests []*Request
	server   *httptest.Server
}

// Serve begins a server that ends with the test.
func Serve(t testing.TB, answers ...Answer) *Server {
	return startServer(t, (*httptest.Server).Start, answers)
}

// ServeTLS begins a server with a certificate for 127.0.0.1 and example.com and not for localhost,
// which only Roots trusts.
func ServeTLS(t testing.TB, answers ...Answer) *Server {
	s := startServer(t, (*httptest.Server).StartTLS, answers)
	s.Roots = x509.NewCertPool()
	s.Roots.AddCert(s.server.Certificate())

	return s
}

func startServer(t testing.TB, start func(*httptest.Server), answers []Answer) *Server {
	t.Helper()
	if len(answers) == 0 {
		t.Fatal("a server needs an answer")
	}
	s := &Server{answers: answers}
	s.server = httptest.NewUnstartedServer(s)
	s.server.Config.ErrorLog = log.New(io.Discard, "", 0) // tests let connections break all the time
	start(s.server)
	s.URL = s.server.URL
	t.Cleanup(func() {
		s.server.CloseClientConnections() // what still drips or waits ends with them
		s.server.Close()
	})

	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := Answer(func(w http.ResponseWriter, r *Request) { s.nextAnswer(r)(w, r) })
	answer.ServeHTTP(w, r)
}

func (s *Server) nextAnswer(r *Request) Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := s.answers[min(len(s.requests), len(s.answers)-1)]
	s.requests = append(s.requests, r)

	return answer
}

// Requests are the requests so far, in the order in which they came.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()

	return slices.Clone(s.requests)
}

// Port is the port of a server's URL, with the colon before it.
func (s *Server) Port() string { return s.URL[strings.LastIndexByte(s.URL, ':'):] }

// Close ends the server before its test: it does not answer from now on.
func (s *Server) Close() { s.server.Close() }
