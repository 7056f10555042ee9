package workflow_test

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

func ExampleValue() {
	context, err := workflow.Parse([]byte(`{"status": "done", "score": "7.50", "tags": ["a", "b"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(context.Get("status").Equal(workflow.Text("done")))
	fmt.Println(workflow.Int(7).Less(context.Get("score")))
	fmt.Println(context.Get("tags").Join(", "))
	fmt.Println(context.Get("review", "author").IsNone())

	changed, err := context.Set([]string{"review", "author"}, workflow.Text("Ada"))
	fmt.Println(changed, err)
	// Output:
	// true
	// true
	// a, b
	// true
	// {"status":"done","score":"7.50","tags":["a","b"],"review":{"author":"Ada"}} <nil>
}
