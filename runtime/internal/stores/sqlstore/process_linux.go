package sqlstore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// identifyProcess identifies this process. It fails where /proc is not that of the process.
func identifyProcess() (process, error) {
	here := process{PID: os.Getpid()}
	self, err := os.Readlink("/proc/self")
	if err == nil && self != strconv.Itoa(here.PID) {
		err = fmt.Errorf("/proc has another number for process %d: %s", here.PID, self)
	}
	if err != nil {
		return process{}, err
	}
	here.Host, err = os.Hostname()
	if err != nil {
		return process{}, err
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return process{}, err
	}
	here.Boot = string(bytes.TrimSpace(boot))
	here.Namespaces, err = readNamespaces()
	if err != nil {
		return process{}, err
	}
	status, err := readStatus(here.PID)
	here.Started = status.started

	return here, err
}

// readNamespaces returns the namespaces in which numbers and start times of processes count. The
// number of a namespace is given to another one only when all its processes have ended.
func readNamespaces() (string, error) {
	pids, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return "", err
	}
	times, err := os.Readlink("/proc/self/ns/time")
	if errors.Is(err, fs.ErrNotExist) { // the kernel has none
		return pids, nil
	}

	return pids + " " + times, err
}

// processStatus is a part of /proc/PID/stat.
type processStatus struct {
	state   string
	threads int
	started uint64
}

// The fields of /proc/PID/stat behind the name of the program, from 0.
const (
	stateField   = 0
	threadsField = 17
	startedField = 19
)

// readStatus reads the status of a process. A user may not see the processes of others.
func readStatus(pid int) (s processStatus, err error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return s, err
	}
	afterName := string(content[bytes.LastIndexByte(content, ')')+1:])
	fields := strings.Fields(afterName)
	if len(fields) <= startedField {
		return s, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	s.state = fields[stateField]
	s.threads, err = strconv.Atoi(fields[threadsField])
	if err != nil {
		return s, err
	}
	s.started, err = strconv.ParseUint(fields[startedField], 10, 64)

	return s, err
}

// hasEnded reports whether it is certain that a process has ended, or has started at another time
// and so is another one. A zombie with more threads than its first is at work.
func hasEnded(pid int, started uint64) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	status, err := readStatus(pid)
	if err != nil {
		return false
	}
	isZombie := status.state == "Z" && status.threads <= 1

	return isZombie || status.started != started
}
