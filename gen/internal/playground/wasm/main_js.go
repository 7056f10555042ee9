// Wasm is package playground as a program for a web worker: a message with a request is answered by a message with the answer, each as
// JSON. It says first that it is ready, by an empty message.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"github.com/agentc-dev/agentc/gen/internal/playground"
)

func main() {
	requests := make(chan string)
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := args[0].Get("data").String()
		go func() { requests <- text }()
		return nil
	}))
	js.Global().Call("postMessage", "")
	for text := range requests {
		js.Global().Call("postMessage", reply(text))
	}
}

func reply(text string) string {
	var request playground.Request
	err := json.Unmarshal([]byte(text), &request)
	var answer *playground.Answer
	if err == nil {
		answer, err = playground.Reply(context.Background(), request)
	}
	if err != nil {
		answer = &playground.Answer{Diagnostics: err.Error()}
	}
	out, err := json.Marshal(answer)
	if err != nil {
		panic(err) // three texts
	}

	return string(out)
}
