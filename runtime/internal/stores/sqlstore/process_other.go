//go:build !linux && !darwin

package sqlstore

import "errors"

// identifyProcess fails: the system has no identifier of its boot.
func identifyProcess() (process, error) { return process{}, errors.ErrUnsupported }

// hasEnded reports false: it is never certain that a process has ended.
func hasEnded(int, uint64) bool { return false }
