package page

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"
)

// Live is a run as the script of a page that follows it reads it, again and again as it grows: what the page has already
// is left out. It is safe for concurrent use.
type Live struct {
	run      []byte // without nodes and pictures
	pictures []byte
	nodes    []node
	// has are, by the number of first nodes that a page has, what it says to be known by.
	has []string
	// settled is the number of first nodes that will hardly change.
	settled int
	// whole is known by all that there is.
	whole string
}

// seed is different in each process: a new process sends everything once.
var seed = maphash.MakeSeed()

// Live returns the run for pages that follow it.
func (r *Run) Live() (l *Live, err error) {
	d := r.makeData(0)
	nodes, pictures := d.Nodes, d.Pictures
	d.Nodes, d.Pictures = nil, nil
	l = &Live{nodes: nodes, settled: slices.IndexFunc(nodes, node.isOpen)}
	if l.settled < 0 {
		l.settled = len(nodes) - 1
	}
	l.run, err = json.Marshal(d)
	if err != nil {
		return nil, err
	}
	l.pictures, err = json.Marshal(pictures)
	if err != nil {
		return nil, err
	}
	var sum maphash.Hash
	sum.SetSeed(seed)
	_, _ = sum.Write(l.pictures) // never fails
	for encoder, i := json.NewEncoder(&sum), 0; i < len(nodes); i++ {
		l.has = append(l.has, fmt.Sprintf("%d-%x", i, sum.Sum64()))
		if err := encoder.Encode(&nodes[i]); err != nil {
			return nil, err
		}
	}
	_, _ = sum.Write(l.run)
	l.whole = fmt.Sprintf("-%x", sum.Sum64())

	return l, nil
}

// Has is what a page sends if it has all of the run.
func (l *Live) Has() string { return l.has[l.settled] + l.whole }

// WriteSame writes that a page that has something has all of the run.
func WriteSame(w io.Writer, has string) error {
	_, err := fmt.Fprintf(w, "{\"unchanged\":true,\"has\":%q}\n", has)

	return err
}

// isOpen reports whether an effect has no result yet.
func (n node) isOpen() bool {
	return n.Begun >= 0 && n.Ended < 0 && n.Attempts > 0
}

// Write writes the run as JSON, in pieces, for a page that has something of it already: what it was given as has the
// last time, or "". That is left out, and the page is given what it has now.
func (l *Live) Write(w io.Writer, has string) error {
	if has == l.Has() {
		return WriteSame(w, has)
	}
	if at := strings.LastIndexByte(has, '-'); at >= 0 {
		has = has[:at]
	}
	same := max(slices.Index(l.has, has), 0)
	out := bufio.NewWriterSize(w, 1<<16)
	_, _ = out.Write(l.run[:len(l.run)-1]) // the writer keeps the first error
	fmt.Fprintf(out, `,"same":%d,"has":%q`, same, l.Has())
	if same == 0 {
		writeTexts(out, `,"pictures":`, string(l.pictures))
	}
	writeTexts(out, `,"nodes":[`)
	for encoder, i := json.NewEncoder(out), same; i < len(l.nodes); i++ {
		if i > same {
			writeTexts(out, ",")
		}
		if err := encoder.Encode(&l.nodes[i]); err != nil {
			return err
		}
	}
	writeTexts(out, "]}\n")

	return out.Flush()
}
