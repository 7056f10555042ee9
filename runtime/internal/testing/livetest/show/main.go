// Command show builds examples/researcher and lets it work: against servers on loopback that speak
// the formats of OpenAI and of Anthropic, recorded, and once more from the recording without a
// server, with a collector that decodes its trace. It prints the result. In the root of the
// repository:
//
//	go run -C runtime/internal/testing/livetest show/main.go
package main

import (
	"log"
	"os"

	"github.com/agentc-dev/agentc/runtime/internal/testing/livetest"
)

func main() {
	program, err := livetest.Build("../../../../examples/researcher")
	if err != nil {
		log.Fatal(err)
	}
	err = livetest.Show(os.Stdout, program)
	if removed := program.Remove(); err == nil {
		err = removed
	}
	if err != nil {
		log.Fatal(err)
	}
}
