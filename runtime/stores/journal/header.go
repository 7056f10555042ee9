package journal

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// format is the format that is written, and the only one that can be read.
const format = 2

const headerMagic = "agentc journal "

// headerLine is the first line of a run's journal. All checksums begin with it, so that no block of another journal passes for
// one of this, wherever it may be quoted.
func headerLine(run string) string { return fmt.Sprintf("%s%d %s\n", headerMagic, format, run) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func seedOf(run string) uint32 { return crc32.Checksum([]byte(headerLine(run)), castagnoli) }

// readHeader returns where the blocks begin. Errors: *FormatError, *DamagedError, ErrNotBegun.
func readHeader(run, data string) (int, error) {
	want := headerLine(run)
	if strings.HasPrefix(data, want) {
		return len(want), nil
	}
	if neverWritten(data, want) {
		return 0, runError(run, ErrNotBegun)
	}

	damaged := &DamagedError{Run: run, Problem: "its first line is not that of a journal"}
	line, _, _ := strings.Cut(data[:min(len(data), len(headerMagic)+2*maxRun)], "\n")
	rest, ok := strings.CutPrefix(line, headerMagic)
	if !ok {
		return 0, damaged
	}
	number, name, _ := strings.Cut(rest, " ")
	have, err := strconv.Atoi(number)
	switch {
	case err != nil || have < 1:
	case have != format:
		return 0, &FormatError{Run: run, Have: have, Known: format}
	default:
		damaged.Problem = fmt.Sprintf("it is the journal of run %q", name)
	}

	return 0, damaged
}

// neverWritten reports whether the file is what a first write leaves that did not reach the disk:
// nothing, a part of the line, zeros.
func neverWritten(data, line string) bool {
	begun := strings.TrimRight(data, "\x00")

	return begun == "" || strings.HasPrefix(line, begun)
}
