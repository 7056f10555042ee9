package serve_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// needed says what each operation needs of its caller, beside the server's own table: a new operation needs an entry here, too.
var needed = map[string]string{
	"GET /health":              serve.NoToken,
	"GET /ready":               serve.NoToken,
	"GET /openapi.json":        serve.AnyToken,
	"GET /metrics":             "read",
	"GET /caller":              serve.AnyToken,
	"GET /agents":              serve.AnyToken,
	"GET /runs":                serve.AnyToken,
	"POST /runs":               "start",
	"GET /runs/{run}":          serve.Sight,
	"GET /runs/{run}/page":     serve.Sight,
	"GET /runs/{run}/events":   serve.Sight,
	"POST /runs/{run}/answers": "answer",
	"POST /runs/{run}/resume":  "start",
	"POST /runs/{run}/cancel":  "cancel",
	"POST /runs/{run}/signals": "fire",
	"POST /runs/{run}/forks":   "admin",
}

// person is a caller whose rights a test changes.
type person struct {
	mu    sync.Mutex
	grant access.Grant
	gone  bool
}

func (p *person) set(g access.Grant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.grant = g
}

func (p *person) revoke() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = true
}

// lookup is access.Lookup for the token annToken.
func (p *person) lookup(token string) (access.Grant, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()

	return p.grant, token == annToken && !p.gone
}

const annToken = "ann-0123456789abcdef"

// rightSets are sets with one right, that and read, all rights but one, and all of them, which an empty list means.
func rightSets() (sets [][]access.Right) {
	for _, right := range access.Rights() {
		allOthers := slices.DeleteFunc(access.Rights(), func(other access.Right) bool { return other == right })
		sets = append(sets, []access.Right{right}, []access.Right{right, access.Read}, allOthers)
	}

	return append(sets, nil)
}

// For each operation, each set of rights, runs of the caller and of another, with and without a list of agents: what happens is
// what the table says.
func TestRightsOfOperations(t *testing.T) {
	ann := &person{}
	store := journal.Memory()
	// Runs that are done: what is permitted changes nothing.
	others := served(t, newDesk(), serve.Options{Store: store, Caller: lookup(t, "bob="+bobToken+" ann="+annToken)})
	runs := map[bool]string{}
	for isOwn, token := range map[bool]string{true: annToken, false: bobToken} {
		others.token = token
		runs[isOwn] = others.start("echo", "x")
		others.wait(runs[isOwn], client.Done)
	}
	c := served(t, newDesk(), serve.Options{Store: store, Caller: ann.lookup})
	for _, o := range serve.Operations() {
		name := o.Method + " " + o.Path
		needs, known := needed[name]
		if !known || needs != o.Needs {
			t.Errorf("%s needs %q, and the test says %q: decide what a caller needs for it", name, o.Needs, needs)
			continue
		}
		for _, isOwn := range []bool{true, false} {
			path := strings.ReplaceAll(o.Path, "{run}", runs[isOwn])
			for _, agents := range [][]string{nil, {"echo", "x"}, {"pay"}} {
				for _, rights := range rightSets() {
					g := access.Grant{Name: "ann", Rights: rights, Agents: agents}
					ann.set(g)
					c.checkOutcome(o.Method, path, needs, g, isOwn)
				}
			}
		}
	}
}

// checkOutcome sends a request about the run of an agent echo, and holds the status against what a grant permits.
func (c *visitor) checkOutcome(method, path, needs string, g access.Grant, isOwn bool) {
	c.Helper()
	var body any
	if method == http.MethodPost {
		body = args{"agent": "echo", "input": "x", "run": "con"} // an id that no run can have
	}
	has := func(right string) bool { return len(g.Rights) == 0 || slices.Contains(g.Rights, access.Right(right)) }
	isListed := len(g.Agents) == 0 || slices.Contains(g.Agents, "echo") && path != "/metrics" // which are of all agents
	isRight := slices.Contains(access.Rights(), access.Right(needs))
	want, kind := 0, ""
	switch {
	case strings.Contains(path, "/runs/") && !isOwn && !(has("read") && isListed):
		want, kind = http.StatusNotFound, "UnknownRunError"
	case isRight && !(has(needs) && isListed):
		want, kind = http.StatusForbidden, "RightError"
	}
	c.token = annToken
	status, reply := c.do(method, path, body)
	isRefusal := status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusNotFound
	switch {
	case want == 0 && isRefusal:
		c.Errorf("%s %s with %v of %v: %d %v", method, path, g.Rights, g.Agents, status, reply)
	case want != 0 && (status != want || reply["type"] != kind):
		c.Errorf("%s %s with %v of %v: %d %v, want %d %s", method, path, g.Rights, g.Agents, status, reply, want, kind)
	case kind == "RightError" && !strings.Contains(reply["message"].(string), `"`+needs+`"`):
		c.Errorf("%s %s: the message does not name the right %s: %v", method, path, needs, reply)
	}
}

// Without a token that is known nothing is done, whoever's run it is.
func TestOperationsNeedTokens(t *testing.T) {
	ann := &person{grant: access.Grant{Name: "ann"}}
	c := served(t, newDesk(), serve.Options{Caller: ann.lookup})
	c.token = annToken
	run := c.start("echo", "x")
	c.wait(run, client.Done)
	for _, token := range []string{"", "wrong-0123456789abcdef", annToken} {
		if token == annToken {
			ann.revoke()
		}
		c.token = token
		for _, o := range serve.Operations() {
			status, reply := c.do(o.Method, strings.ReplaceAll(o.Path, "{run}", run), nil)
			if o.Needs == serve.NoToken == (status == http.StatusUnauthorized) {
				t.Errorf("%s %s with %q: %d %v", o.Method, o.Path, token, status, reply)
			}
		}
	}
}

// The front end that starts refunds cannot approve them: the example of the page.
func TestFrontEndCannotApprove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.yaml")
	token := func(g access.Grant) string {
		t.Helper()
		token, err := access.Add(path, g)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	front := token(access.Grant{Name: "front", Rights: []access.Right{access.Start}, Agents: []string{"pay"}})
	head := token(access.Grant{Name: "head", Rights: []access.Right{access.Read, access.Answer}, Questions: []string{"approve"}})
	clerk := token(access.Grant{Name: "clerk", Rights: []access.Right{access.Read, access.Answer}, Questions: []string{"review"}})
	tokens, err := access.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := served(t, newDesk(), serve.Options{Caller: tokens.Lookup})
	as := func(token string) *visitor { c.token = token; return c }
	yes := args{"question": "approve", "value": "yes"}

	run := as(front).start("pay", "7")
	paused := as(front).wait(run, client.Paused)
	for name, one := range map[string]struct {
		token, message string
	}{
		"front": {front, `the token of front does not have the right "answer"`},
		"clerk": {clerk, `the token of clerk has the right "answer" for the questions review, and not for "approve"`},
	} {
		address := paused["questions"].([]any)[0].(map[string]any)["address"]
		for _, body := range []args{yes, {"question": "approve", "address": address, "value": "yes"}, {"question": "approve", "value": "yes", "by": "head"}} {
			if reply := as(one.token).want(http.StatusForbidden, "POST", "/runs/"+run+"/answers", body); reply["type"] != "IdentityError" && reply["message"] != one.message {
				t.Errorf("%s: %v", name, reply)
			}
		}
	}
	as(front).want(http.StatusForbidden, "POST", "/runs", args{"agent": "echo", "input": "x"})
	as(front).want(http.StatusForbidden, "POST", "/runs", args{"input": "x"}) // the entry is another agent
	if list := as(front).want(http.StatusOK, "GET", "/agents", nil)["agents"].([]any); len(list) != 1 {
		t.Errorf("the front end can start %v", list)
	}
	if who := as(front).want(http.StatusOK, "GET", "/caller", nil); fmt.Sprint(who) != "map[agents:[pay] machines:[] name:front questions:[] rights:[start]]" {
		t.Errorf("%v", who)
	}

	as(head).want(http.StatusOK, "POST", "/runs/"+run+"/answers", yes)
	as(front).wait(run, client.Done)
	if got := answeredBy(t, c, run); got != "head" {
		t.Errorf("it was answered by %q", got)
	}

	if err := access.Revoke(path, "head"); err != nil {
		t.Fatal(err)
	}
	as(head).want(http.StatusUnauthorized, "GET", "/runs", nil)
}

// answeredBy is who gave the answer of a run, as its page says it.
func answeredBy(t *testing.T, c *visitor, run string) string {
	t.Helper()
	shown := c.want(http.StatusOK, "GET", "/runs/"+run+"/page?has=", nil)
	for _, node := range shown["nodes"].([]any) {
		if node := node.(map[string]any); node["kind"] == "ask" {
			return fmt.Sprint(node["by"])
		}
	}

	return ""
}

// A list has the runs that the caller may see, page after page.
func TestListOfCaller(t *testing.T) {
	ann := &person{grant: access.Grant{Name: "ann"}}
	bob := lookup(t, "bob="+bobToken)
	c := served(t, newDesk(), serve.Options{Caller: func(token string) (access.Grant, bool) {
		if g, ok := bob(token); ok {
			return g, true
		}
		return ann.lookup(token)
	}})
	own := map[string]bool{}
	for i := range 6 {
		if c.token = bobToken; i%2 == 0 {
			c.token = annToken
		}
		run := c.start([]string{"echo", "fails"}[i/3], "x")
		own[run] = i%2 == 0
	}
	count := func(g access.Grant) (n int) {
		t.Helper()
		ann.set(g)
		c.token = annToken
		for next := ""; ; {
			page := c.want(http.StatusOK, "GET", "/runs?limit=2"+next, nil)
			for _, r := range page["runs"].([]any) {
				if n++; !g.Has(access.Read) && !own[r.(map[string]any)["run"].(string)] {
					t.Errorf("the list has the run of another: %v", r)
				}
			}
			if page["next"] == nil {
				return n
			}
			next = "&before=" + page["next"].(string)
		}
	}
	start := []access.Right{access.Start}
	for _, test := range []struct {
		g    access.Grant
		want int
	}{
		{access.Grant{Name: "ann", Rights: start}, 3}, {access.Grant{Name: "ann"}, 6},
		{access.Grant{Name: "ann", Agents: []string{"echo"}}, 4}, {access.Grant{Name: "eve", Rights: start}, 0},
	} {
		if got := count(test.g); got != test.want {
			t.Errorf("%+v: %d runs, want %d", test.g, got, test.want)
		}
	}
}

// A stream ends when the token of its reader is revoked while the run is at work.
func TestRevokedReader(t *testing.T) {
	ann := &person{grant: access.Grant{Name: "ann"}}
	d := newDesk()
	c := served(t, d, serve.Options{Caller: ann.lookup})
	c.token = annToken
	run := c.start("slow", "x")
	<-d.busy
	response := c.send("GET", "/runs/"+run+"/events", nil)
	defer response.Body.Close()
	ann.revoke()
	d.may <- struct{}{} // something happens
	<-d.busy
	for _, event := range readLines(t, response.Body) {
		if event["event"] == "end" {
			t.Error("the stream goes on to the end of the run")
		}
	}
	d.may <- struct{}{}
}

// A signal reaches the machines alone that the caller may signal, and force_shape needs more than to resume.
func TestRightsOfBodies(t *testing.T) {
	ann := &person{grant: access.Grant{Name: "ann", Machines: []string{"other"}}}
	d := newDesk()
	c := served(t, d, serve.Options{Caller: ann.lookup})
	c.token = annToken
	run := c.start("signals", "x")
	<-d.busy
	message := args{"kind": "user-message", "value": "hurry"}
	if reply := c.want(http.StatusConflict, "POST", "/runs/"+run+"/signals", message); reply["type"] != "SignalError" {
		t.Errorf("%v", reply)
	}
	ann.set(access.Grant{Name: "ann", Machines: []string{"signals"}})
	c.want(http.StatusAccepted, "POST", "/runs/"+run+"/signals", message)
	d.may <- struct{}{}
	<-d.busy
	d.may <- struct{}{}
	if done := c.wait(run, client.Done); done["result"].(map[string]any)["value"] != "heard hurry" {
		t.Errorf("%v", done["result"])
	}

	ann.set(access.Grant{Name: "ann", Rights: []access.Right{access.Start}})
	reply := c.want(http.StatusForbidden, "POST", "/runs/"+run+"/resume", args{"force_shape": true})
	if reply["message"] != `the token of ann does not have the right "admin"` {
		t.Errorf("%v", reply)
	}
	c.want(http.StatusOK, "POST", "/runs/"+run+"/resume", args{"force_shape": false})
}

// A run whose journal is damaged says nothing about itself, so that only who may read all runs learns of it.
func TestDamagedRunOfCaller(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "r.journal"), []byte("no journal"), 0o600); err != nil {
		t.Fatal(err)
	}
	ann := &person{}
	c := served(t, newDesk(), serve.Options{Caller: ann.lookup, Store: journal.Files(dir)})
	c.token = annToken
	for status, g := range map[int]access.Grant{
		http.StatusInternalServerError: {Name: "ann", Rights: []access.Right{access.Read}},
		http.StatusNotFound:            {Name: "ann", Agents: []string{"echo"}},
	} {
		ann.set(g)
		c.want(status, "GET", "/runs/r", nil)
		if list := c.want(http.StatusOK, "GET", "/runs", nil)["runs"].([]any); len(list) != 1 == (status == http.StatusInternalServerError) {
			t.Errorf("%+v: the list has %v", g, list)
		}
	}
}

// A cancelled run takes no answer, has no open question, and is resumed only by who may also cancel it.
func TestCancelStops(t *testing.T) {
	ann := &person{}
	c := served(t, newDesk(), serve.Options{Caller: ann.lookup})
	c.token = annToken
	grant := func(rights ...access.Right) { ann.set(access.Grant{Name: "ann", Rights: rights}) }
	grant()
	run := c.start("pay", "7")
	c.wait(run, client.Paused)
	c.want(http.StatusAccepted, "POST", "/runs/"+run+"/cancel", nil)
	if shown := c.wait(run, client.Cancelled); len(shown["questions"].([]any)) != 0 {
		t.Errorf("its questions are %v", shown["questions"])
	}
	answer := args{"question": "approve", "value": "yes"}
	refused := c.want(http.StatusConflict, "POST", "/runs/"+run+"/answers", answer)
	if text := refused["message"].(string); refused["type"] != "RunEndedError" || !strings.Contains(text, "was cancelled by ann; resume it first") {
		t.Errorf("an answer is refused by %v", refused)
	}
	for _, rights := range [][]access.Right{{access.Start, access.Answer}, {access.Cancel, access.Answer}} {
		grant(rights...)
		c.want(http.StatusForbidden, "POST", "/runs/"+run+"/resume", args{})
	}
	grant(access.Start, access.Cancel)
	c.want(http.StatusForbidden, "POST", "/runs/"+run+"/resume", args{"force_shape": true})
	c.want(http.StatusOK, "POST", "/runs/"+run+"/resume", args{})
	c.wait(run, client.Paused)
	grant(access.Answer)
	c.want(http.StatusOK, "POST", "/runs/"+run+"/answers", answer)
	c.wait(run, client.Done)
}
