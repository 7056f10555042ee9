package httpclient_test

import (
	"context"
	"fmt"
	"log"

	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/client/httpclient"
)

func Example() {
	ctx, url, token := context.Background(), "http://127.0.0.1:8080", "a-token"
	runs := httpclient.New(httpclient.Options{URL: url, Token: token})

	_, err := runs.Start(ctx, client.Start{Agent: "desk", Input: "A-1042 was charged twice.", Run: "ticket-1"})
	if err != nil {
		log.Fatal(err)
	}
	waiting, err := runs.List(ctx, client.List{Status: client.Paused}) // with the questions and the cost of each run
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(waiting.Runs), "runs wait for a person")

	_, err = runs.Answer(ctx, client.Reply{Run: "ticket-1", Question: "pay_back", Value: "yes", By: "ann"})
	if err != nil {
		log.Fatal(err)
	}
	for e, err := range runs.Watch(ctx, client.Watch{Run: "ticket-1"}) { // until it ends or waits for an answer
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Kind)
	}
}
