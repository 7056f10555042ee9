package temporal

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"go.temporal.io/sdk/converter"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Options configure a program's workers and clients. All of a program need the same Blobs and Codecs.
type Options struct {
	// Queue is the task queue of the workflows; "": the program's name.
	Queue string
	// ModelQueue, FuncQueue (also for guards) and ToolQueues, by a tool's name, are the task queues of activities
	// that other workers execute; "": Queue.
	ModelQueue, FuncQueue string
	ToolQueues            map[string]string
	// Blobs store conversations and what is too large for histories; nil: files in .agentc/blobs below the working
	// directory.
	Blobs Blobs
	// Codecs encode payloads and the content of blobs, in this order: to encrypt them, for example.
	Codecs []converter.PayloadCodec
	// Engine are the options of the engine with which workers execute activities: providers, variables, prices, and
	// middleware, which runs in the workflow and has to be deterministic. Store, script, asker and observer are not
	// used.
	Engine engine.Options
	// Beat is how often activities send a heartbeat; 0: every ten seconds. A worker that misses six in a row counts
	// as dead.
	Beat time.Duration
	// MaxResult limits, in bytes, the answer of a model, a tool or a function; 0: 64 MiB. A larger one ends the run
	// with a SizeError.
	MaxResult int
	// Observer receives the events of runs from the worker that executes the run at that time: each once, except for
	// the last events before a worker was killed, which the next worker may report again with the same run, address
	// and number.
	Observer event.Observer

	// config is what Engine says.
	config core.Config
}

// withDefaults fills in what was not said.
func (o Options) withDefaults(p *compiled.Program) Options {
	o.Queue = cmp.Or(o.Queue, p.Name)
	o.MaxResult = cmp.Or(o.MaxResult, 64<<20)
	o.Beat = cmp.Or(o.Beat, 10*time.Second)
	if o.Blobs == nil {
		o.Blobs = Files(filepath.Join(".agentc", "blobs"))
	}
	o.config = core.ConfigOf(p)
	core.Configure(o.Engine, &o.config)
	if o.config.Env == nil {
		o.config.Env = os.LookupEnv
	}
	o.config.Script, o.config.Store, o.config.Asker, o.config.Observer = "", nil, nil, nil
	o.config.Retry = model.Retry{Attempts: 1} // Temporal tries again

	return o
}

// blobStore returns the blobs behind the codecs.
func (o *Options) blobStore() *sealed { return &sealed{blobs: o.Blobs, codecs: o.Codecs} }

// workflowType returns the name of the workflow type that runs an agent: it changes with the shape of the program.
func workflowType(p *compiled.Program, agent string) string {
	return cmp.Or(agent, p.Entry) + "@" + shortHash(p.Shape)
}

// shortHash returns the first digits of a hash.
func shortHash(hash string) string { return hash[:min(len(hash), 8)] }

// choosing are the variables that choose models, and hold no key.
var choosing = regexp.MustCompile(`^(AGENTC|TAMA)_(MODEL|PROVIDER)_`)

// modelSettings are what an environment says of models, without its keys. variables are NAME=VALUE;
// env returns the ones that count.
func modelSettings(variables []string, env func(string) (string, bool)) map[string]string {
	chosen := map[string]string{}
	for _, variable := range variables {
		name, _, _ := strings.Cut(variable, "=")
		if !choosing.MatchString(name) || strings.HasSuffix(name, "_API_KEY") {
			continue
		}
		if value, ok := env(name); ok {
			chosen[name] = value
		}
	}

	return chosen
}
