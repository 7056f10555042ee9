package core

import (
	"context"
	"slices"
	"sort"

	"sync"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// changes collects the effects of a run that a program carries out differently than they were
// recorded.
type changes struct {
	mu        sync.Mutex
	addresses []string
}

// collectIn makes a run collect its changed effects.
func (c *changes) collectIn(r *run) error {
	r.journal.changes = c

	return nil
}

func (c *changes) add(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.addresses = append(c.addresses, address)
}

// ForkChanged makes a new run of a program that was edited. It keeps of a run what the program
// would do in the same way, so that only the rest is carried out when the fork is resumed: in each
// branch, what begins with the first effect whose request differs. at are the addresses of these,
// in order. What the run failed with is tried again. Requests of models that an older runtime
// recorded count as different. The run itself is not changed. o has no Reply.
//
// Errors: ErrNoStore, WrongProgramError, journal.ErrUnknownRun and others of package journal.
func (e *Engine) ForkChanged(ctx context.Context, p *compiled.Program, run string, o ForkOptions) (newRun string, at []string, err error) {
	j, err := e.readJournal(ctx, run)
	if j == nil {
		return "", nil, err
	}
	h := replay.ReadResumable(j)
	with, info, err := checkProgram(h, p, run, true)
	if err != nil {
		return "", nil, err
	}
	found := &changes{}
	if _, _, err := e.replayOnly(ctx, with, info, run, h, found.collectIn); err != nil {
		return "", nil, err
	}
	at = found.addresses
	sort.Slice(at, func(i, j int) bool { return addr.Compare(at[i], at[j]) < 0 })
	for _, address := range at {
		h.DiscardFrom(j.Records, address)
	}
	var records []journal.Record
	for i := range j.Records {
		if r := &j.Records[i]; h.IsKept(r) {
			records = append(records, *r)
		}
	}
	newRun = e.config.RunID()
	begin := e.forkRecord(h.Begin, newRun, slices.Concat(at, []string{""})[0], o.By)
	for i, f := range begin.Fields {
		switch f.Name {
		case "shape":
			begin.Fields[i].Value = p.Shape
		case "text":
			begin.Fields[i].Value = p.TextHash()
		}
	}

	return newRun, at, e.copyRun(ctx, begin, records, o.StayPaused)
}

// reportChange reports that the program carries out another effect than was recorded at an address,
// and ends the branch.
func (f *Effects) reportChange(address string) error {
	f.replay.IsLive = true // later events of the branch are ignored
	f.run.journal.changes.add(address)

	return errPending
}

// requestDigest hashes all of a request that the program decides, for [Engine.ForkChanged]. All
// messages but the last one are part of earlier turns.
func (t *modelTurn) requestDigest(text digest) digest {
	r := &t.request
	choice := r.Model
	if config := &t.fx.run.engine.config; t.fx.run.journal.readOnly && config.Model == nil && config.Script == "" {
		choice = t.fx.run.resolveChoice(choice) // as one is that was opened
	}
	d := text.add(r.System).add(r.Schema)
	for _, tool := range r.Tools {
		d = d.add(tool.Name).add(tool.Description).add(tool.Schema)
	}
	if choice != nil {
		d = d.add(choice.Role).add(choice.Name).addSettings(choice.Settings)
	}

	return d
}

// addSettings hashes the settings that are set. Settings that journals have had from the beginning
// are hashed without their names.
func (d digest) addSettings(s model.Settings) digest {
	for _, setting := range model.SettingTable() {
		value := setting.Value(s)
		if value != nil && !setting.HashedByPosition {
			d = d.add(setting.Name)
		}
		switch value := value.(type) {
		case int:
			d = d.addNumber(value)
		case nil:
		default:
			d = d.add(setting.Text(s))
		}
	}

	return d
}
