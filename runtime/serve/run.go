package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// closingTime is how long replies that are under way have when all runs have stopped.
const closingTime = 5 * time.Second

// serve serves until it is interrupted, and then lets runs and replies come to their ends.
func (s *Server) serve(c *cli.Call, l net.Listener, interrupts <-chan os.Signal) error {
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		s.CloseNow()
		return err
	case <-interrupts:
	}

	stopped := make(chan struct{})
	go func() {
		s.Close()
		close(stopped)
	}()
	fmt.Fprintf(c.Stderr, "%s: interrupted: runs stop at their next safe points (interrupt again to stop at once)\n", c.Program.Name)
	select {
	case <-stopped:
	case <-interrupts:
		fmt.Fprintf(c.Stderr, "%s: interrupted: stopped at once\n", c.Program.Name)
		s.CloseNow()
	}
	closing, cancel := context.WithTimeout(context.Background(), closingTime)
	defer cancel()
	if err := server.Shutdown(closing); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}

	return server.Close()
}
