package inputs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
)

// BadRecording returns what is wrong with the file of a flag.
func BadRecording(c *cli.Call, flag string, err error) error {
	var format *recording.FormatError
	var busy *recording.BusyError
	switch {
	case errors.As(err, &format):
		format.Path = c.Flag(flag)
	case errors.As(err, &busy):
		busy.Path = c.Flag(flag)
	case errors.Is(err, fs.ErrNotExist):
		return c.Usagef("--%s %s: there is no such folder", flag, c.Flag(flag))
	default:
		return fmt.Errorf("--%s: %w", flag, err)
	}

	return c.Errorf(cli.Problem, "--%s: %s", flag, cells.Clean(err.Error()))
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return a == b
	}
	second, err := os.Stat(b)

	return err == nil && os.SameFile(first, second)
}

// Config returns the configuration of the program's engine, in which what the flags --script, --replay and --record name
// answers instead of models and records them. The caller gives the error of the run to done, which is [Close]. The process works in the
// folder that -C names from then on, so that the user's tools find themselves there.
func Config(c *cli.Call, p *compiled.Program) (config core.Config, done func(error) error, err error) {
	if err := os.Chdir(c.Dir); err != nil {
		return config, nil, err
	}
	script, err := Script(c, p)
	switch {
	case err != nil:
		return config, nil, err
	case c.On("script") && c.On("replay"):
		return config, nil, c.Usagef("--script and --replay both answer instead of the models: give one of them")
	case c.On("record") && c.On("replay") && sameFile(c.Path(c.Flag("record")), c.Path(c.Flag("replay"))):
		return config, nil, c.Usagef("--record and --replay are the same file: what is played would be added to it")
	}
	var replay *recording.Recording
	var recorder *recording.Recorder
	if c.On("replay") {
		name := c.Flag("replay")
		replay, err = recording.ReadFile(c.Path(name))
		if errors.Is(err, fs.ErrNotExist) {
			return config, nil, c.Usagef("--replay %s: there is no such file", name)
		}
		if err != nil {
			return config, nil, BadRecording(c, "replay", err)
		}
		replay.Path = name
	}
	if c.On("record") {
		recorder, err = recording.Open(c.Path(c.Flag("record")))
		if err != nil {
			return config, nil, BadRecording(c, "record", err)
		}
	}
	config = core.ConfigOf(p)
	config.Partial = config.Partial || c.On("partial")
	if script != "" || replay != nil {
		config.Model, config.Script, config.Replay = nil, script, replay
	}
	if recorder != nil {
		config.Record = recorder
	}

	return config, func(err error) error { return Close(c, recorder, err) }, nil
}

// Close writes what a recorder, which may be nil, has recorded to disk, and returns err, the error of the run. If writing fails it prints
// that one, and returns its own.
func Close(c *cli.Call, recorder *recording.Recorder, err error) error {
	if recorder == nil {
		return err
	}
	if closing := recorder.Close(); closing != nil {
		c.Report(err)
		return closing
	}

	return err
}
