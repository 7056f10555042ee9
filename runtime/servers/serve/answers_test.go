package serve_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
)

func TestAnswers(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	run := c.start("pay", "7")
	shown := c.wait(run, client.Paused)
	questions := shown["questions"].([]any)
	question, _ := questions[0].(map[string]any)
	choices, _ := question["choices"].([]any)
	if len(questions) != 1 || question["question"] != "approve" || question["prompt"] != "Pay 7?" || len(choices) != 2 {
		t.Fatalf("the questions are %v", questions)
	}
	at := "/runs/" + run + "/answers"

	reply := c.want(http.StatusUnprocessableEntity, "POST", at, args{"question": "approve", "value": "maybe"})
	if reply["type"] != "AnswerError" || len(reply["choices"].([]any)) != 2 {
		t.Errorf("an answer that does not fit: %v", reply)
	}
	reply = c.want(http.StatusNotFound, "POST", at, args{"question": "other", "value": "yes"})
	if reply["type"] != "UnknownQuestionError" {
		t.Errorf("another question: %v", reply)
	}
	c.want(http.StatusNotFound, "POST", at, args{"question": "approve", "address": "99", "value": "yes"})
	c.wait(run, client.Paused)
	if c.desk.paid.Load() != 0 {
		t.Fatal("it is paid without an answer")
	}

	right := args{"question": "approve", "address": question["address"], "value": "YES", "by": "ada"}
	c.want(http.StatusOK, "POST", at, right)
	shown = c.wait(run, client.Done)
	if result := shown["result"].(map[string]any); result["value"] != "paid" || result["key"] != "done" {
		t.Errorf("the result is %v", result)
	}
	reply = c.want(http.StatusConflict, "POST", at, right)
	if reply["type"] != "AnsweredError" && reply["type"] != "RunEndedError" {
		t.Errorf("the second answer: %v", reply)
	}
	if paid := c.desk.paid.Load(); paid != 1 {
		t.Errorf("it is paid %d times", paid)
	}
}

// Of many who answer at once one is first, and the others are told; the run goes on once.
func TestAnswersRace(t *testing.T) {
	const people, runs = 12, 6
	c := served(t, newDesk(), serve.Options{})
	for range runs {
		run := c.start("pay", "7")
		c.wait(run, client.Paused)
		var first, late atomic.Int32
		var group sync.WaitGroup
		for i := range people {
			group.Go(func() {
				body := args{"question": "approve", "value": "yes", "by": fmt.Sprint("person-", i)}
				switch status, reply := c.do("POST", "/runs/"+run+"/answers", body); status {
				case http.StatusOK:
					first.Add(1)
				case http.StatusConflict:
					late.Add(1)
				default:
					t.Errorf("status %d: %v", status, reply)
				}
			})
		}
		group.Wait()
		if first.Load() != 1 || late.Load() != people-1 {
			t.Errorf("%d were first, %d late", first.Load(), late.Load())
		}
		c.wait(run, client.Done)
	}
	if paid := c.desk.paid.Load(); paid != runs {
		t.Errorf("%d runs are paid", paid)
	}
}

// Questions of branches have ids of their own; a run with an open one pauses again.
func TestTwoQuestions(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	run := c.start("both", "")
	schema, _ := c.wait(run, client.Paused)["questions"].([]any)[0].(map[string]any)["schema"].(map[string]any)
	if schema["type"] != "string" {
		t.Errorf("the schema of the answer is %v", schema)
	}
	at := "/runs/" + run + "/answers"
	c.want(http.StatusOK, "POST", at, args{"question": "approve@1", "value": "b", "resume": false})
	shown := c.wait(run, client.Paused)
	if open := shown["questions"].([]any); len(open) != 1 || open[0].(map[string]any)["question"] != "approve@0" {
		t.Errorf("open are %v", open)
	}
	reply := c.want(http.StatusConflict, "POST", at, args{"question": "approve@1", "value": "c"})
	if reply["type"] != "AnsweredError" {
		t.Errorf("the second answer: %v", reply)
	}
	c.want(http.StatusOK, "POST", "/runs/"+run+"/resume", args{})
	c.wait(run, client.Paused)
	c.want(http.StatusOK, "POST", at, args{"question": "approve@0", "value": "a"})
	if result := c.wait(run, client.Done)["result"].(map[string]any); result["value"] != "a+b" {
		t.Errorf("the result is %v", result)
	}
}

// Where tokens are needed, who answers is whose token it is.
func TestWhoAnswers(t *testing.T) {
	c := withTokens(t, serve.Options{})
	c.token = adaToken
	run := c.start("pay", "7")
	c.wait(run, client.Paused)
	at := "/runs/" + run + "/answers"
	reply := c.want(http.StatusForbidden, "POST", at, args{"question": "approve", "value": "yes", "by": "bob"})
	if reply["type"] != "IdentityError" {
		t.Errorf("for somebody else: %v", reply)
	}
	c.want(http.StatusOK, "POST", at, args{"question": "approve", "value": "yes"})
	c.wait(run, client.Done)
	c.token = bobToken
	reply = c.want(http.StatusConflict, "POST", at, args{"question": "approve", "value": "yes"})
	t.Log(reply["message"])
}

// A run that fails again as it did before has gone on, though there is nothing new to tell of it.
func TestResumedToFailAgain(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	run := c.start("fails", "x")
	c.wait(run, client.Failed)
	for range 2 {
		c.want(http.StatusOK, "POST", "/runs/"+run+"/resume", args{})
		if got := c.wait(run, client.Failed)["problem"].(map[string]any)["type"]; got != "StepLimitError" {
			t.Errorf("it has failed with %v", got)
		}
	}
}

// A request for a run that this server works on already says so, with the code that any process gets.
func TestResumeOfRunAtWork(t *testing.T) {
	d := newDesk()
	c := served(t, d, serve.Options{})
	run := c.start("slow", "x")
	<-d.busy
	reply := c.want(http.StatusConflict, "POST", "/runs/"+run+"/resume", args{})
	if reply["type"] != "RunLockedError" || reply["message"] != "run "+run+": this server works on it" {
		t.Errorf("%v", reply)
	}
	c.server.CloseNow()
}
