package temporal

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.temporal.io/sdk/log"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// connectFlags are the flags of each command that talks to a server.
func connectFlags() []cli.Flag {
	return []cli.Flag{
		{Name: "address", Value: "HOST:PORT", Help: "Temporal's server; default: TEMPORAL_ADDRESS, else localhost:7233"},
		{Name: "namespace", Value: "NAME", Help: "its namespace; default: TEMPORAL_NAMESPACE, else default"},
		{Name: "queue", Value: "NAME", Help: "the task queue; default: the program's name"},
		{Name: "blobs", Value: "DIR", Help: "conversations and large values, the same for all workers; default: .agentc/blobs"},
	}
}

// optionsOf reads the flags.
func optionsOf(c *cli.Call) (o Options, err error) {
	// The user's tools find themselves where -C says.
	if err := os.Chdir(c.Dir); err != nil {
		return o, err
	}
	o.Queue = c.Flag("queue")
	if c.On("blobs") {
		o.Blobs = Files(c.Path(c.Flag("blobs")))
	}
	if !c.On("tool-queue") {
		return o, nil
	}
	o.ToolQueues = map[string]string{}
	for _, pair := range strings.Split(c.Flag("tool-queue"), ",") {
		tool, queue, ok := strings.Cut(pair, "=")
		if !ok || tool == "" || queue == "" {
			return o, c.Usagef("--tool-queue is TOOL=QUEUE, or several of them with commas, not %q", c.Flag("tool-queue"))
		}
		o.ToolQueues[tool] = queue
	}

	return o, nil
}

// clientOptions are what the environment and the flags say of the server.
func clientOptions(c *cli.Call) (client.Options, error) {
	with, err := envconfig.LoadClientOptions(envconfig.LoadClientOptionsRequest{})
	if err != nil {
		return with, fmt.Errorf("the settings of Temporal's clients: %w", err)
	}
	with.HostPort = cmp.Or(c.Flag("address"), with.HostPort)
	with.Namespace = cmp.Or(c.Flag("namespace"), with.Namespace)

	return with, nil
}

// namespaceOf is the namespace that the commands work in.
func namespaceOf(c *cli.Call) string {
	with, _ := clientOptions(c) // connect has asked

	return cmp.Or(with.Namespace, client.DefaultNamespace)
}

// connectClient dials the server: TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and the other variables of Temporal's clients
// count, and their configuration file, where flags do not say otherwise.
func connectClient(c *cli.Call, p *compiled.Program, o Options) (Client, error) {
	with, err := clientOptions(c)
	if err != nil {
		return Client{}, err
	}
	with.DataConverter = o.DataConverter(p)
	with.Logger = log.NewStructuredLogger(slog.New(slog.NewTextHandler(c.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))

	server, err := client.Dial(with)

	return Client{server, p, o}, err
}

// dialServer connects as the flags say.
func dialServer(c *cli.Call, p *compiled.Program) (Client, error) {
	o, err := optionsOf(c)
	if err != nil {
		return Client{}, err
	}

	return connectClient(c, p, o)
}
