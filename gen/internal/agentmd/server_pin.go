package agentmd

import (
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/lockfile"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// pins is what is known of servers.
type pins struct {
	// lock is what is pinned; nil for a file that cannot be read.
	lock *lockfile.Lock
	// used are the names of servers that skills have.
	used map[string]bool
	// missing are servers of which it was said that they are not pinned.
	missing map[*ir.Server]bool
}

// readLock reads what is pinned, if anything is.
func (l *loader) readLock() {
	l.pins = pins{lock: &lockfile.Lock{}, used: map[string]bool{}, missing: map[*ir.Server]bool{}}
	if !l.HasFile(lockfile.Name) {
		return
	}
	if source.Escape(l.FS, lockfile.Name) != "" {
		l.ReportStray(frontend.Stray{Path: lockfile.Name, Want: lockfile.Name})
		return
	}
	f := l.ReadFile(lockfile.Name)
	root, findings := yamldoc.ParseJSON(f)
	if foreign := lockfile.Foreign(root); foreign != nil {
		findings = append(findings, foreign)
	} else if root != nil {
		findings = append(findings, validate.Document(validate.Lock, root, f)...)
	}
	for _, d := range findings {
		if d.Hint == "" {
			d.WithHint(pinHint)
		}
	}
	l.Report(f, findings)
	l.pins.lock = nil
	if !l.IsFaulty(f) {
		lock, err := lockfile.Parse(f, root)
		l.Fail(err)
		l.pins.lock = lock
	}
}

// pinHint is how a pin is made, or made again.
const pinHint = "run agentc mcp pin"

// pinned returns what is pinned of a server; nil after a report.
func (l *loader) pinned(s *ir.Server) *lockfile.Server {
	l.pins.used[s.Name.Value] = true
	if l.pins.lock == nil {
		return nil // that the file cannot be read is said already
	}
	pin := l.pins.lock.Servers[s.Name.Value]
	problem := ""
	switch {
	case pin == nil:
		problem = "is not pinned: its tools are unknown"
	case pin.URL != s.URL:
		problem = "is pinned with another url"
	case !slices.Equal(pin.Command, s.Command):
		problem = "is pinned with another command"
	case slices.ContainsFunc(pin.Tools, func(t lockfile.Tool) bool { return !t.Intact() }):
		problem = "is pinned with a tool that was edited in " + lockfile.Name
	default:
		return pin
	}
	if !l.pins.missing[s] {
		l.List.Add(diag.New(diag.UnpinnedServer, s.Name.Span, "server %q %s", s.Name.Value, problem).WithHint(pinHint))
	}
	l.pins.missing[s] = true

	return nil
}

// unusedPins reports servers in the lock that no skill names.
func (l *loader) unusedPins() {
	if l.pins.lock == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(l.pins.lock.Servers)) {
		if !l.pins.used[name] {
			l.List.Add(diag.New(diag.UnusedPin, l.pins.lock.Servers[name].At, "no skill has a server %q", name).WithHint(pinHint))
		}
	}
}
