//go:build !unix && !windows

package shell

import (
	"context"
	"errors"
	"os/exec"
)

// group is a command of a system on which none can be run so that it surely ends.
type group struct{ cmd *exec.Cmd }

func newGroup(context.Context, string) (*group, error) {
	return nil, errors.New("commands cannot be run on this system")
}

func (g *group) start() error { return errors.ErrUnsupported }

func (g *group) wait() error { return errors.ErrUnsupported }

func environment(string, func(string) (string, bool)) []string { return nil }
