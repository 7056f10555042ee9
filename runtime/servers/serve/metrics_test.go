package serve_test

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// metrics reads the metrics, each line of which has the form of Prometheus.
func (c *visitor) metrics() string {
	c.Helper()
	response := c.send("GET", "/metrics", nil)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		c.Fatalf("%v, %s, %v", err, response.Status, response.Header)
	}
	for line := range strings.Lines(string(text)) {
		if !metricLine.MatchString(line) {
			c.Errorf("%q is no line of metrics", line)
		}
	}

	return string(text)
}

var metricLine = regexp.MustCompile(`^(# (HELP|TYPE) agentc_[a-z_]+ .+|agentc_[a-z_]+(\{([a-z]+="[^"]*"(,|\}))+)? [0-9.]+)\n$`)

// The metrics count runs, tokens, cost, open questions and requests, and have no more series when requests name what does not exist.
func TestMetrics(t *testing.T) {
	store := journal.Memory()
	o := serve.Options{Store: store, Engine: engine.Options{
		Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
			return model.Reply{Text: "7", Usage: model.Usage{Input: 11, Output: 5}, Cost: 4500}, nil
		}),
	}}
	c := served(t, newDesk(), o)
	c.wait(c.start("echo", "x"), client.Done)
	c.wait(c.start("fails", "x"), client.Failed)
	paused := c.start("pay", "x")
	c.wait(paused, client.Paused)
	got := c.metrics()
	for _, want := range []string{
		`agentc_runs_started_total{agent="echo"} 1`, `agentc_runs_started_total{agent="pay"} 1`,
		`agentc_runs_ended_total{agent="echo",status="done"} 1`, `agentc_runs_ended_total{agent="fails",status="failed"} 1`,
		`agentc_questions_open 1`, `agentc_runs_working 0`, `agentc_runs_queued 0`, `agentc_runs_stranded 0`,
		`agentc_http_requests_total{method="POST",path="/runs",code="201"} 3`,
		`agentc_http_request_duration_seconds_count{method="POST",path="/runs"} 3`,
		`agentc_http_request_duration_seconds_bucket{method="POST",path="/runs",le="+Inf"} 3`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, `agentc_runs_ended_total{agent="pay"`) {
		t.Errorf("a paused run has ended:\n%s", got)
	}
	if tokens := regexp.MustCompile(`(?m)^agentc_tokens_total\{direction="input"\} (\d+)$`).FindStringSubmatch(got); tokens == nil || tokens[1] == "0" {
		t.Errorf("the tokens are %v in\n%s", tokens, got)
	}
	if !regexp.MustCompile(`(?m)^agentc_cost_dollars_total 0\.\d+$`).MatchString(got) {
		t.Errorf("no cost in\n%s", got)
	}

	c.do("GET", "/runs/nobody", nil)
	_ = c.metrics()
	before := strings.Count(c.metrics(), "\n")
	for _, path := range []string{"/runs/someone", "/runs/another", "/elsewhere", "/runs/x/y"} {
		_ = c.send("GET", path, nil).Body.Close()
	}
	if after := strings.Count(c.metrics(), "\n"); after != before {
		t.Errorf("requests have added %d lines", after-before)
	}
	c.want(http.StatusOK, "POST", "/runs/"+paused+"/answers", args{"question": "approve", "value": "yes"})
	c.wait(paused, client.Done)
	if got := c.metrics(); !strings.Contains(got, "agentc_questions_open 0\n") {
		t.Errorf("a question is open in\n%s", got)
	}

	other := newDesk().program()
	other.Shape = "s2"
	c.wait(c.start("pay", "y"), client.Paused)
	if got := servedProgram(t, newDesk(), other, o).metrics(); !strings.Contains(got, "agentc_runs_stranded 1\n") {
		t.Errorf("no run is stranded in\n%s", got)
	}
}

// The metrics are of all agents: they need the right read, without a list of agents.
func TestMetricsNeedRead(t *testing.T) {
	who := &person{}
	c := served(t, newDesk(), serve.Options{Caller: who.lookup})
	c.token = annToken
	for _, test := range []struct {
		grant  access.Grant
		status int
	}{
		{access.Grant{Name: "ann", Rights: []access.Right{access.Read}}, http.StatusOK},
		{access.Grant{Name: "ann"}, http.StatusOK},
		{access.Grant{Name: "ann", Rights: []access.Right{access.Start, access.Answer}}, http.StatusForbidden},
		{access.Grant{Name: "ann", Rights: []access.Right{access.Read}, Agents: []string{"echo"}}, http.StatusForbidden},
	} {
		who.set(test.grant)
		response := c.send("GET", "/metrics", nil)
		_ = response.Body.Close()
		if response.StatusCode != test.status {
			t.Errorf("%+v: %s", test.grant, response.Status)
		}
	}
}
