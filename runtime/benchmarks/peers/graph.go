package peers

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
)

// Approved is the text that leads from a step of a graph to the next. The models of graphs answer
// with what they are given.
const Approved = "approved"

// echo is a chat model that answers at once with the text of the last message.
type echo struct{}

// Generate returns the text of the last message.
func (echo) Generate(
	_ context.Context, in []*schema.Message, _ ...model.Option,
) (*schema.Message, error) {
	return schema.AssistantMessage(in[len(in)-1].Content, nil), nil
}

// Stream returns what Generate does, in one piece.
func (e echo) Stream(
	ctx context.Context, in []*schema.Message, o ...model.Option,
) (*schema.StreamReader[*schema.Message], error) {
	return newStream(e.Generate(ctx, in, o...))
}

// newStream returns a stream of one message.
func newStream(m *schema.Message, err error) (*schema.StreamReader[*schema.Message], error) {
	if err != nil {
		return nil, err
	}

	return schema.StreamReaderFromArray([]*schema.Message{m}), nil
}

// NewEinoGraph compiles a graph of eino with one lambda for each prompt, which gives the model the
// prompt and the text. If the answer is Approved, the next lambda follows.
func NewEinoGraph(
	ctx context.Context, prompts []string,
) (run func(ctx context.Context, text string) (string, error), err error) {
	graph := compose.NewGraph[string, string]()
	for i, prompt := range prompts {
		err := graph.AddLambdaNode(stepName(i), newStep(prompt))
		if err != nil {
			return nil, err
		}
	}
	err = connectSteps(graph, len(prompts))
	if err != nil {
		return nil, err
	}
	runnable, err := graph.Compile(ctx, compose.WithMaxRunSteps(len(prompts)+1))
	if err != nil {
		return nil, err
	}

	return func(ctx context.Context, text string) (string, error) {
		return runnable.Invoke(ctx, text)
	}, nil
}

// newStep returns a lambda that gives the model a prompt and the text of the step before.
func newStep(prompt string) *compose.Lambda {
	return compose.InvokableLambda(func(ctx context.Context, text string) (string, error) {
		messages := []*schema.Message{schema.SystemMessage(prompt), schema.UserMessage(text)}
		reply, err := echo{}.Generate(ctx, messages)
		if err != nil {
			return "", err
		}

		return reply.Content, nil
	})
}

// connectSteps leads from the start to the first of n steps, and from each to the next if its text is
// Approved, and to the end if not.
func connectSteps(graph *compose.Graph[string, string], n int) error {
	err := graph.AddEdge(compose.START, stepName(0))
	if err != nil {
		return err
	}
	for i := range n - 1 {
		next := stepName(i + 1)
		branch := compose.NewGraphBranch(func(_ context.Context, text string) (string, error) {
			if text == Approved {
				return next, nil
			}

			return compose.END, nil
		}, map[string]bool{next: true, compose.END: true})
		err := graph.AddBranch(stepName(i), branch)
		if err != nil {
			return err
		}
	}

	return graph.AddEdge(stepName(n-1), compose.END)
}

func stepName(i int) string { return fmt.Sprintf("step-%d", i) }
