package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/inputs"
)

// closingTime is how long replies that are under way have when all runs have stopped.
const closingTime = 5 * time.Second

// serve serves until it is interrupted, and then lets runs and replies reach their ends.
func (s *Server) serve(l net.Listener, interrupts <-chan os.Signal, say func(text string)) error {
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		s.CloseNow()
		return err
	case <-interrupts:
	}

	say("interrupted: runs stop at their next safe points (interrupt again to stop at once)")
	if !inputs.Stops(s.Close, interrupts) {
		say("interrupted: stopped at once")
		s.CloseNow()
	}
	closing, cancel := context.WithTimeout(context.Background(), closingTime)
	defer cancel()
	if err := server.Shutdown(closing); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}

	return server.Close()
}
