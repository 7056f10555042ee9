package page

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
)

// live is a run as the script of a page that follows it reads it, again and again as it grows: what the page has already
// is left out.
type live struct {
	run      []byte // without nodes and pictures
	pictures []byte
	nodes    []node
	// has are, by the number of first nodes that a page has, what it says to be known by.
	has []string
	// settled is the number of first nodes that will hardly change.
	settled int
}

// seed is that of this process: another one sends everything once.
var seed = maphash.MakeSeed()

// Live returns a function that writes the run as JSON, in pieces, for a page that follows it: without what a page has
// that was given the text has before, and with the text for the next time. The function is safe for concurrent use.
func (r *Run) Live() (write func(w io.Writer, has string) error, err error) {
	d := r.data(0)
	nodes, pictures := d.Nodes, d.Pictures
	d.Nodes, d.Pictures = nil, nil
	l := &live{nodes: nodes, settled: slices.IndexFunc(nodes, node.isOpen)}
	if l.settled < 0 {
		l.settled = len(nodes) - 1
	}
	if l.run, err = json.Marshal(d); err != nil {
		return nil, err
	}
	if l.pictures, err = json.Marshal(pictures); err != nil {
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

	return l.write, nil
}

// isOpen reports whether an effect has no result yet.
func (n node) isOpen() bool {
	return n.Begun >= 0 && n.Ended < 0 && n.Attempts > 0
}

func (l *live) write(w io.Writer, has string) error {
	same := max(slices.Index(l.has, has), 0)
	out := bufio.NewWriterSize(w, 1<<16)
	_, _ = out.Write(l.run[:len(l.run)-1]) // the writer keeps the first error
	fmt.Fprintf(out, `,"same":%d,"has":%q`, same, l.has[l.settled])
	if same == 0 {
		put(out, `,"pictures":`, string(l.pictures))
	}
	put(out, `,"nodes":[`)
	for encoder, i := json.NewEncoder(out), same; i < len(l.nodes); i++ {
		if i > same {
			put(out, ",")
		}
		if err := encoder.Encode(&l.nodes[i]); err != nil {
			return err
		}
	}
	put(out, "]}\n")

	return out.Flush()
}
