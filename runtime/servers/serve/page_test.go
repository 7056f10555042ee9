package serve_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestPage: the page at / has no data and needs no token, whoever leads there; what it shows does.
func TestPage(t *testing.T) {
	c := withTokens(t, serve.Options{})
	response := c.send("GET", "/", nil, header("Sec-Fetch-Site", "cross-site"))
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(text), `"served":true`) ||
		response.Header.Get("Content-Security-Policy") != "frame-ancestors 'none'" || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
		t.Errorf("%d %v %v %.300s", response.StatusCode, response.Header, err, text)
	}
	c.token = ""
	c.want(http.StatusUnauthorized, "GET", "/runs/a/page", nil)

	own := served(t, newDesk(), serve.Options{})
	own.want(http.StatusForbidden, "GET", "/", nil, host("desk.example.com"))
	without := served(t, newDesk(), serve.Options{NoPage: true})
	without.want(http.StatusNotFound, "GET", "/", nil)
}

// TestRunOfThePage: the page is given what a run did, and what its models were asked once it is not at work.
func TestRunOfThePage(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	c.want(http.StatusCreated, "POST", "/runs", args{"agent": "echo", "input": "x", "run": "a"})
	c.wait("a", client.Done)
	shown := c.want(http.StatusOK, "GET", "/runs/a/page", nil)
	if shown["run"] != "a" || shown["status"] != "done" || len(shown["nodes"].([]any)) == 0 {
		t.Errorf("%v", shown)
	}

	// A page that has all gets no more. Of one that has a part only the end is sent again; whoever has something else gets all.
	nodes, has := len(shown["nodes"].([]any)), shown["has"].(string)
	if again := c.want(http.StatusOK, "GET", "/runs/a/page?has="+has, nil); again["unchanged"] != true || again["has"] != has || again["nodes"] != nil {
		t.Errorf("%v", again)
	}
	again := c.want(http.StatusOK, "GET", "/runs/a/page?has="+has+"0", nil)
	if same := int(again["same"].(float64)); same != nodes-1 || len(again["nodes"].([]any)) != 1 {
		t.Errorf("of %d nodes %d are the same: %v", nodes, same, again)
	}
	if other := c.want(http.StatusOK, "GET", "/runs/a/page?has=2-ffff-ffff", nil); other["same"] != 0.0 || len(other["nodes"].([]any)) != nodes {
		t.Errorf("%v", other)
	}
	c.want(http.StatusBadRequest, "GET", "/runs/a/page?has="+strings.Repeat("x", 65), nil)
}

// TestPageWhileAtWork: the page says of a run at work that prompts come later, and shows them when it has ended.
func TestPageWhileAtWork(t *testing.T) {
	d := newDesk()
	c := served(t, d, serve.Options{})
	run := c.start("slow", "x")
	<-d.busy
	shown := c.want(http.StatusOK, "GET", "/runs/"+run+"/page", nil)
	if shown["status"] != "running" || shown["atWork"] != true || shown["hasTurns"] != false {
		t.Errorf("%v", shown)
	}
	if again := c.want(http.StatusOK, "GET", "/runs/"+run+"/page?has="+shown["has"].(string), nil); again["unchanged"] != true {
		t.Errorf("%v", again)
	}
	close(d.may)
	c.wait(run, client.Done)
	if shown = c.want(http.StatusOK, "GET", "/runs/"+run+"/page?has="+shown["has"].(string), nil); shown["status"] != "done" || shown["atWork"] != nil || shown["hasTurns"] != true {
		t.Errorf("%v", shown)
	}
}

// TestPageOfBadJournals: the page is given the reason why a run cannot be read, and the list of runs has it too.
func TestPageOfBadJournals(t *testing.T) {
	dir := t.TempDir()
	c := served(t, newDesk(), serve.Options{Store: journal.Files(dir)})
	for run, test := range map[string]struct {
		content string
		status  int
		problem string
	}{
		"empty": {"", http.StatusNotFound, "it was never begun"},
		"json":  {"{}\n", http.StatusInternalServerError, "the journal of run json is damaged at byte 0"},
		"older": {"agentc journal 1 older\n", http.StatusInternalServerError, "has format 1, and this program reads format 2"},
	} {
		if err := os.WriteFile(filepath.Join(dir, run+".journal"), []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		response := c.send("GET", "/runs/"+run+"/page", nil)
		text, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || response.StatusCode != test.status || !strings.Contains(string(text), test.problem) {
			t.Errorf("%s: %d %v %s", run, response.StatusCode, err, text)
		}
	}
	if listed := c.want(http.StatusOK, "GET", "/runs?status=damaged", nil); len(listed["runs"].([]any)) != 2 {
		t.Errorf("%v", listed)
	}
}
