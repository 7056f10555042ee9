package recording

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/model"
)

// digest is what distinguishes texts.
type digest [12]byte

func (d digest) String() string { return hex.EncodeToString(d[:]) }

// hasher hashes texts so that no two lists of them look the same.
type hasher struct {
	hash.Hash
}

func newHasher() hasher { return hasher{sha256.New()} }

func (h hasher) text(s string) {
	var length [8]byte
	binary.LittleEndian.PutUint64(length[:], uint64(len(s)))
	h.Write(length[:])
	h.Write([]byte(s))
}

func (h hasher) sum() digest { return digest(h.Sum(nil)[:len(digest{})]) }

// chain is the digest of messages that end with m, and of which those before have the digest before.
func chain(before digest, m *message) digest {
	h := newHasher()
	h.Write(before[:])
	h.text(m.Role)
	h.text(m.Text)
	h.text(m.Call)
	h.text(m.Name)
	h.text(strconv.FormatBool(m.Failed))
	for _, c := range m.Calls {
		h.text(c.ID)
		h.text(c.Name)
		h.text(string(c.Args))
	}

	return h.sum()
}

// chains are the digests of the first 0, 1, … messages.
func chains(messages []message) []digest {
	all := make([]digest, len(messages)+1)
	for i := range messages {
		all[i+1] = chain(all[i], &messages[i])
	}

	return all
}

// key is the digest of a request whose messages have the digest messages, but for its model: that may not be known.
func (q *request) key(messages digest) digest {
	h := newHasher()
	h.Write(messages[:])
	h.text(q.system)
	h.text(string(q.schema))
	h.settings(q.settings)
	for i := range q.tools {
		h.text(q.tools[i].Name)
		h.text(q.tools[i].Description)
		h.text(string(q.tools[i].Schema))
	}

	return h.sum()
}

// label is the digest of a request with its model.
func label(key digest, model string) string {
	h := newHasher()
	h.Write(key[:])
	h.text(modelID(model))

	return h.sum().String()
}

// settings hashes settings: the values of those that have a position, and then one text for all others that are set. It
// is one text so that their number cannot shift the texts after it.
func (h hasher) settings(s model.Settings) {
	named := ""
	for _, setting := range model.SettingTable() {
		value := setting.Text(s)
		switch {
		case setting.HashedByPosition:
			h.text(value)
		case value != "":
			named += setting.Name + "=" + value + ";"
		}
	}
	if named != "" {
		h.text(named)
	}
}
