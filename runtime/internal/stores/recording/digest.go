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

func (h hasher) addText(s string) {
	var length [8]byte
	binary.LittleEndian.PutUint64(length[:], uint64(len(s)))
	h.Write(length[:])
	h.Write([]byte(s))
}

func (h hasher) digest() digest { return digest(h.Sum(nil)[:len(digest{})]) }

// extendDigest is the digest of messages that end with m, and of which those before have the digest before.
func extendDigest(before digest, m *message) digest {
	h := newHasher()
	h.Write(before[:])
	h.addText(m.Role)
	h.addText(m.Text)
	h.addText(m.Call)
	h.addText(m.Name)
	h.addText(strconv.FormatBool(m.Failed))
	for _, c := range m.Calls {
		h.addText(c.ID)
		h.addText(c.Name)
		h.addText(string(c.Args))
	}

	return h.digest()
}

// prefixDigests returns the digests of the first 0, 1, … messages.
func prefixDigests(messages []message) []digest {
	all := make([]digest, len(messages)+1)
	for i := range messages {
		all[i+1] = extendDigest(all[i], &messages[i])
	}

	return all
}

// keyOf is the digest of a request whose messages have the digest messages, but for its model: that may not be known.
func (q *request) keyOf(messages digest) digest {
	h := newHasher()
	h.Write(messages[:])
	h.addText(q.system)
	h.addText(string(q.schema))
	h.addSettings(q.settings)
	for i := range q.tools {
		h.addText(q.tools[i].Name)
		h.addText(q.tools[i].Description)
		h.addText(string(q.tools[i].Schema))
	}

	return h.digest()
}

// labelOf returns the digest of a request with its model.
func labelOf(key digest, model string) string {
	h := newHasher()
	h.Write(key[:])
	h.addText(modelID(model))

	return h.digest().String()
}

// addSettings hashes settings: the values of those that have a position, and then one text for all others that are set. It
// is one text so that their number cannot shift the texts after it.
func (h hasher) addSettings(s model.Settings) {
	named := ""
	for _, setting := range model.SettingTable() {
		value := setting.Text(s)
		switch {
		case setting.HashedByPosition:
			h.addText(value)
		case value != "":
			named += setting.Name + "=" + value + ";"
		}
	}
	if named != "" {
		h.addText(named)
	}
}
