package command

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/schema"
)

var schemaCommand = &cli.Command{
	Name: "schema", Args: "FORMAT", Max: 1, Values: schema.Names,
	Summary: "print the JSON Schema of a file format",
	Example: "agentc schema agent > agent.schema.json",
	Flags:   []cli.Flag{{Name: "o", Value: "FILE", Help: "write to FILE instead of stdout"}},
	Run:     printSchema,
}

func printSchema(c *cli.Call) error {
	name := c.Arg(0)
	formats := strings.Join(schema.Names(), ", ")
	if name == "" {
		return c.Usagef("name a format: %s", formats)
	}
	text, ok := schema.Text(name)
	if !ok {
		return c.Usagef("unknown format %q%s: there are %s", name, didYouMean(name, schema.Names()), formats)
	}

	return emitText(c, string(text))
}
