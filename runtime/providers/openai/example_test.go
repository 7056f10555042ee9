package openai_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// A model of any server that speaks chat completions: here one that says the same to everybody.
func ExampleOpen() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"model":"tiny","choices":[{"message":{"content":"Hello."},"finish_reason":"stop"}]}`)
	}))
	defer server.Close()

	mine, err := openai.Open(model.Model{Name: "mine:tiny", Provider: "mine", ID: "tiny", BaseURL: server.URL}, os.LookupEnv)
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := mine.Chat(context.Background(), model.Request{
		Messages: []model.Message{{Role: model.RoleUser, Text: "Greet me."}},
	})
	fmt.Println(reply.Text, reply.Model, reply.StopReason, err)
	// Output: Hello. mine:tiny stop <nil>
}
