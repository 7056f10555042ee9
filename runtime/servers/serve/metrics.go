package serve

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
)

// metrics count what has happened in this process. It is safe for concurrent use. The labels are names of agents of the program, states
// of runs, operations and statuses of HTTP: so there are only so many series, whatever the requests are.
type metrics struct {
	mu             sync.Mutex
	started, ended map[series]int64
	tokens         map[series]int64
	microDollars   int64
	requests       map[series]int64
	durations      map[series]*histogram
}

// series are the values of at most three labels; "" for those that a metric does not have.
type series [3]string

// bounds are the upper bounds of the buckets for the duration of a request, in seconds.
var bounds = [...]float64{0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30}

// histogram counts durations.
type histogram struct {
	// buckets has for each bound the number of durations up to it.
	buckets [len(bounds)]int64
	count   int64
	seconds float64
}

func newMetrics() *metrics {
	return &metrics{
		started: map[series]int64{}, ended: map[series]int64{}, tokens: map[series]int64{}, requests: map[series]int64{},
		durations: map[series]*histogram{},
	}
}

// countEvent counts an event of a run of an agent.
func (m *metrics) countEvent(agent string, e event.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch e.Kind {
	case event.Run:
		m.started[series{agent}]++
	case event.Model:
		m.tokens[series{"input"}] += int64(e.Usage.Input)
		m.tokens[series{"output"}] += int64(e.Usage.Output)
		m.microDollars += e.Cost
	case event.End:
		if client.Status(e.Status) != client.Paused {
			m.ended[series{agent, e.Status}]++
		}
	}
}

// countRequest counts a request for an operation. It does not measure streams: their duration
// depends on the client.
func (m *metrics) countRequest(o *operation, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[series{o.method, o.path, strconv.Itoa(status)}]++
	if strings.HasSuffix(o.path, "/events") {
		return
	}
	at := series{o.method, o.path}
	h := m.durations[at]
	if h == nil {
		h = &histogram{}
		m.durations[at] = h
	}
	h.count++
	h.seconds += took.Seconds()
	for i, bound := range bounds {
		if took.Seconds() <= bound {
			h.buckets[i]++
		}
	}
}

// countRequests returns a handler that counts the requests of an operation.
func (m *metrics) countRequests(o *operation, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		seen := &statusWriter{ResponseWriter: w}
		defer func() { m.countRequest(o, cmp.Or(seen.status, http.StatusOK), time.Since(begun)) }()
		next.ServeHTTP(seen, r)
	})
}

// statusWriter notes the status of a reply.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// gauges are what is true of the server now.
type gauges struct {
	working, queued     int
	stranded, questions int
}

// readGauges counts the runs that are worked on here, and what paused runs of the store wait for.
func (s *Server) readGauges(ctx context.Context) (now gauges, err error) {
	waiting, err := s.waitingRuns(ctx)
	if err != nil {
		return now, err
	}
	for _, run := range waiting {
		if s.isStranded(ctx, run) {
			now.stranded++
		}
		if !run.isPaused {
			continue
		}
		if h, err := s.histories.readHead(ctx, s.store, run.id); err == nil { // one that cannot be read has no question that could be answered
			now.questions += len(h.run.Questions)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.jobs {
		if j.hasPlace() {
			now.working++
		} else {
			now.queued++
		}
	}

	return now, nil
}

// showMetrics answers with the metrics in the text format of Prometheus.
func (s *Server) showMetrics(w http.ResponseWriter, r *http.Request) error {
	g, err := callerOf(r).Grant()
	if err == nil && len(g.Agents) > 0 { // the metrics are of all agents
		err = &access.RightError{Caller: g.Name, Right: access.Read, Kind: "agent", Value: "all agents", Permitted: g.Agents}
	}
	if err != nil {
		return err
	}
	now, err := s.readGauges(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	s.metrics.writeText(w, now) // a client that has gone needs no error

	return nil
}

// writeText writes all metrics in the text format of Prometheus.
func (m *metrics) writeText(out io.Writer, now gauges) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &exposition{out: out}
	w.writeFamily("agentc_runs_started_total", "counter", "Runs that were started.")
	w.writeCounts(m.started, "agent")
	w.writeFamily("agentc_runs_ended_total", "counter", "Runs that were done, failed or were cancelled.")
	w.writeCounts(m.ended, "agent", "status")
	w.writeFamily("agentc_tokens_total", "counter", "Tokens that models have used.")
	w.writeCounts(m.tokens, "direction")
	w.writeFamily("agentc_cost_dollars_total", "counter", "What models have cost in US dollars, as far as their prices are known.")
	w.writeSample("", "", float64(m.microDollars)/1e6)
	w.writeFamily("agentc_runs_working", "gauge", "Runs that this server executes.")
	w.writeSample("", "", float64(now.working))
	w.writeFamily("agentc_runs_queued", "gauge", "Runs that wait until this server executes fewer.")
	w.writeSample("", "", float64(now.queued))
	w.writeFamily("agentc_runs_stranded", "gauge", "Runs of the store, paused or interrupted, that need another version of the program.")
	w.writeSample("", "", float64(now.stranded))
	w.writeFamily("agentc_questions_open", "gauge", "Questions for whose answers paused runs of the store wait.")
	w.writeSample("", "", float64(now.questions))
	w.writeFamily("agentc_http_requests_total", "counter", "Requests.")
	w.writeCounts(m.requests, "method", "path", "code")
	w.writeFamily("agentc_http_request_duration_seconds", "histogram", "How long requests took, except for streams.")
	for _, at := range sortedSeries(m.durations) {
		h := m.durations[at]
		for i, bound := range bounds {
			w.writeSample("_bucket", formatLabels(at, "method", "path")+`,le="`+formatNumber(bound)+`"`, float64(h.buckets[i]))
		}
		w.writeSample("_bucket", formatLabels(at, "method", "path")+`,le="+Inf"`, float64(h.count))
		w.writeSample("_sum", formatLabels(at, "method", "path"), h.seconds)
		w.writeSample("_count", formatLabels(at, "method", "path"), float64(h.count))
	}
}

// exposition writes metrics in the text format 0.0.4 of Prometheus.
type exposition struct {
	out io.Writer
	// name is the name of the metric whose samples are written.
	name string
}

// writeFamily writes the head of a metric.
func (e *exposition) writeFamily(name, kind, help string) {
	e.name = name
	fmt.Fprintf(e.out, "# HELP %s %s\n# TYPE %[1]s %[3]s\n", name, help, kind)
}

// writeSample writes one value of the metric.
func (e *exposition) writeSample(suffix, labels string, value float64) {
	if labels != "" {
		labels = "{" + labels + "}"
	}
	fmt.Fprintf(e.out, "%s%s%s %s\n", e.name, suffix, labels, formatNumber(value))
}

// writeCounts writes the series of a metric that have these names, sorted by their labels.
func (e *exposition) writeCounts(all map[series]int64, names ...string) {
	for _, at := range sortedSeries(all) {
		e.writeSample("", formatLabels(at, names...), float64(all[at]))
	}
}

func formatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func sortedSeries[V any](all map[series]V) []series {
	return slices.SortedFunc(maps.Keys(all), func(a, b series) int { return slices.Compare(a[:], b[:]) })
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// formatLabels returns the labels of a series in the text format.
func formatLabels(at series, names ...string) string {
	var pairs []string
	for i, name := range names {
		pairs = append(pairs, name+`="`+labelEscapes.Replace(at[i])+`"`)
	}

	return strings.Join(pairs, ",")
}
