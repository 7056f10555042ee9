package serve

import (
	"context"
	"net"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// How long clients may take. One that hangs holds a connection and no more; after these times not even that.
const (
	headerTime = 10 * time.Second
	bodyTime   = time.Minute
	idleTime   = 2 * time.Minute
	// writeTime is how long a client may take to read what it was sent; a stream has it for each part.
	writeTime = 30 * time.Second
	// bodyWriteTime is the same for each part of any other reply, which is in memory until then.
	bodyWriteTime = 5 * time.Second
)

// Handler returns the HTTP handler of the server. If the options have a Caller, every request except for that for
// health needs a bearer token. Without one, only programs of the same machine can make requests, and no pages of other
// sites.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	methods := map[string][]string{}
	for i := range operations {
		o := &operations[i]
		methods[o.path] = append(methods[o.path], o.method)
		mux.Handle(o.method+" "+o.path, s.metrics.countRequests(o, s.handlerOf(o)))
	}
	for at, allowed := range methods {
		mux.Handle(at, otherMethod(allowed))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { writeError(w, errPath) })
	if !s.noPage {
		mux.HandleFunc("GET /{$}", s.servePage)
	}
	protection := http.NewCrossOriginProtection()

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.checkOrigin(protection, r); err != nil {
			writeError(w, err)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

var errPath = newRequestError(http.StatusNotFound, "PathError", "not found; /openapi.json lists the endpoints")

// checkOrigin returns why a request is refused before it is read, or nil. Where no credentials are
// needed, a request by another name for this machine is refused: a page can have a name of its own
// that leads here, and its browser would think it the same origin. A path with .. or // is refused
// because nothing is there. [http.CrossOriginProtection] passes GET and HEAD, as they change
// nothing. But a page of another site could open streams without end, and a stream holds a
// connection. The page itself is served to links of other sites, too.
func (s *Server) checkOrigin(protection *http.CrossOriginProtection, r *http.Request) error {
	asked := *r
	if s.noPage || r.URL.Path != "/" {
		asked.Method = http.MethodPost
	}
	switch at := r.URL.EscapedPath(); {
	case s.named == nil && !isLoopback(r.Host):
		return newRequestError(http.StatusForbidden, "HostError", "%q is not a name of this machine", r.Host)
	case at != path.Clean(at):
		return errPath
	case protection.Check(&asked) != nil:
		return newRequestError(http.StatusForbidden, "OriginError", "a page of another origin asks")
	}

	return nil
}

// handlerOf returns the handler that carries out an operation for a caller who may ask for it.
func (s *Server) handlerOf(o *operation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		controller := http.NewResponseController(w)
		_ = controller.SetReadDeadline(time.Now().Add(bodyTime)) // a writer without deadlines has no client that hangs
		_ = controller.SetWriteDeadline(time.Now().Add(bodyTime + writeTime))
		var who access.Caller
		var err error
		if o.needs != noToken {
			who, err = s.authenticate(r)
		}
		if err == nil {
			err = checkRun(r)
		}
		if err == nil {
			err = s.checkPermission(r, who, o.needs)
		}
		if err == nil {
			err = o.checkQuery(r)
		}
		if err == nil {
			err = o.handle(s, w, r.WithContext(context.WithValue(r.Context(), callerKey{}, who)))
		}
		if err != nil {
			if statusOf(err) == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", "Bearer")
			}
			writeError(w, err)
		}
	})
}

type callerKey struct{}

// callerOf returns who makes a request.
func callerOf(r *http.Request) access.Caller {
	who, _ := r.Context().Value(callerKey{}).(access.Caller)

	return who
}

// authenticate returns the caller of a request by its bearer token.
func (s *Server) authenticate(r *http.Request) (access.Caller, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		token = ""
	}

	return access.Holder(s.named, strings.TrimSpace(token))
}

// isLoopback reports whether a host, with or without a port, is the name by which this machine
// calls itself.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))

	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// otherMethod answers to methods that a path does not have.
func otherMethod(allowed []string) http.HandlerFunc {
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead)
	}
	text := strings.Join(allowed, ", ")

	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", text)
		writeError(w, newRequestError(http.StatusMethodNotAllowed, "MethodError", "the path takes %s, not %s", text, r.Method))
	}
}
