package sqlstore

import (
	"encoding/json"
	"sync"
	"time"
)

// process identifies a process among those of all machines that share a database.
type process struct {
	// Host is the name of the machine. Boot is the identifier of its boot, which no other machine has.
	Host string `json:"host"`
	Boot string `json:"boot"`
	// Namespaces are those in which the numbers of the process count: containers of one machine have
	// the same boot, and each numbers its processes from 1.
	Namespaces string `json:"namespaces,omitempty"`
	PID        int    `json:"pid"`
	// Started is when the process started, in ticks of the system since its boot; 0 where the system
	// does not report it. A later process with the same number has another value.
	Started uint64 `json:"started,omitempty"`
}

// thisProcess identifies the process that runs this code.
var thisProcess = sync.OnceValues(identifyProcess)

// owner is the column of a run that identifies its owner.
type owner struct {
	// Fence is the fence of the lease. Programs of older versions leave the column as it is when they
	// take a run: it then has another fence than the run.
	Fence int64 `json:"fence"`
	process
}

// ownerColumn returns the column for a lease of this process; empty where the system does not
// identify processes.
func ownerColumn(fence int64) string {
	here, err := thisProcess()
	if err != nil {
		return ""
	}
	column, err := json.Marshal(owner{fence, here})
	if err != nil {
		return ""
	}

	return string(column)
}

// hold is what the row of a run contains about its owner. Times are in milliseconds.
type hold struct {
	fence, expires, lease, now int64
	owner                      string
}

// holdOf is the query for the columns of a hold.
const holdOf = "SELECT fence, expires, lease, {now}, owner FROM agentc_runs WHERE run = $1"

// columns are where the columns of holdOf go.
func (h *hold) columns() []any { return []any{&h.fence, &h.expires, &h.lease, &h.now, &h.owner} }

// renewed returns when the owner of a run renewed its lease last; zero if it has given up the run or
// has ended, so that it is no longer at work.
func (h *hold) renewed() time.Time {
	if h.expires == 0 || h.hasDeadOwner() {
		return time.Time{}
	}

	return time.UnixMilli(min(h.expires-h.lease, h.now)) // a clock that was set back has a lease end too late
}

// hasDeadOwner reports whether the owner is known to have ended without giving up the run. Only a
// process of the same boot and the same namespaces can know that.
func (h *hold) hasDeadOwner() bool {
	here, err := thisProcess()
	if err != nil || h.expires == 0 {
		return false
	}
	var o owner
	if json.Unmarshal([]byte(h.owner), &o) != nil || o.Fence != h.fence {
		return false
	}
	isNeighbor := o.Host == here.Host && o.Boot == here.Boot && o.Namespaces == here.Namespaces

	return isNeighbor && o.PID > 0 && hasEnded(o.PID, o.Started)
}
