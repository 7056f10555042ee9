package temporal

import (
	"os"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// registry is what workflows and activities are registered with: a worker, a test's environment, a replayer.
type registry interface {
	RegisterWorkflowWithOptions(w any, options workflow.RegisterOptions)
}

// RegisterWorkflows registers the agents of the program that can be run, with a worker or with a replayer of histories;
// it needs no server.
func (c Client) RegisterWorkflows(to registry) {
	p := c.Program
	with := c.Options.withDefaults(p)
	for i := range p.Agents {
		if p.Agents[i].Run == nil {
			continue
		}
		name := p.Agents[i].Name
		to.RegisterWorkflowWithOptions(workflowOf(p, name, &with), workflow.RegisterOptions{
			Name: workflowType(p, name), VersioningBehavior: workflow.VersioningBehaviorPinned,
		})
	}
}

// activities is what activities are registered with.
type activities interface {
	RegisterActivityWithOptions(a any, options activity.RegisterOptions)
}

// RegisterActivities registers the activities that execute the effects of the program's runs; it needs no server.
func (c Client) RegisterActivities(to activities) error {
	p := c.Program
	with := c.Options.withDefaults(p)
	engine := core.New(with.config)
	effects, err := engine.Bench(p)
	if err != nil {
		return err
	}
	b := &bench{
		program: p, engine: engine, effects: effects, talks: &talks{blobs: with.blobStore()}, beat: with.Beat, most: with.MaxResult,
		settings: modelSettings(os.Environ(), with.config.Env),
	}
	for name, work := range map[string]any{
		checkActivity: b.checkAgent, modelActivity: b.callModel, toolActivity: b.callTool, callActivity: b.callFunc, guardActivity: b.askGuard,
	} {
		to.RegisterActivityWithOptions(work, activity.RegisterOptions{Name: name})
	}

	return nil
}

// Worker returns a worker that runs the agents of the program and executes their effects. Its version is the program's
// shape: a run is executed only by workers of the shape with which it began. The worker's Stop waits until the
// activities under way have ended.
func (c Client) Worker() (worker.Worker, error) {
	w := worker.New(c.Client, c.Options.withDefaults(c.Program).Queue, worker.Options{
		DeploymentOptions: worker.DeploymentOptions{
			UseVersioning:             true,
			Version:                   versionOf(c.Program),
			DefaultVersioningBehavior: workflow.VersioningBehaviorPinned,
		},
		WorkerStopTimeout: longest, // the caller who cannot wait for what is under way ends the process
	})
	c.RegisterWorkflows(w)

	return w, c.RegisterActivities(w)
}
