package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

// keyInput are the arguments of the tools that look at one key.
type keyInput struct {
	Key string `json:"key" jsonschema:"the key; fsm:ID:state and fsm:ID:history are those of a machine"`
	claimant
}

// writeInput are the arguments of blackboard_write.
type writeInput struct {
	keyInput
	Value     json.RawMessage `json:"value" jsonschema:"any JSON; it is kept as it is"`
	IfVersion *uint64         `json:"if_version,omitempty" jsonschema:"write only if the key has this version; 0: if it has no value"`
	TTL       float64         `json:"ttl,omitempty" jsonschema:"seconds after which the value is gone; without it stays"`
}

// longestTTL is longer than anything lives, and fits a time.Duration.
const longestTTL = 100 * 365 * 24 * time.Hour

func (in writeInput) checkInput() error {
	if in.TTL < 0 || in.TTL > longestTTL.Seconds() {
		return newArgumentError("ttl", "is not a time from now on")
	}

	return nil
}

// claimedName returns "": a false claim is left to the blackboard, which refuses and records it.
func (in writeInput) claimedName() string { return "" }

// deleteInput are the arguments of blackboard_delete.
type deleteInput struct {
	keyInput
	IfVersion *uint64 `json:"if_version,omitempty" jsonschema:"delete only if the key has this version"`
}

// claimedName returns "", for the reason that writeInput.claimedName has.
func (in deleteInput) claimedName() string { return "" }

// listInput are the arguments of blackboard_list.
type listInput struct {
	Prefix string `json:"prefix,omitempty" jsonschema:"only keys that begin with this"`
	claimant
}

// keyEntry is a board.Value, of which it shows all but the value itself.
type keyEntry struct {
	Key      string    `json:"key"`
	Version  uint64    `json:"version" jsonschema:"grows with every write and never comes again"`
	Agent    string    `json:"agentId,omitempty" jsonschema:"who wrote it, by its own account"`
	Identity string    `json:"identity,omitempty" jsonschema:"who wrote it, by its credential"`
	Time     time.Time `json:"timestamp"`
	Expires  time.Time `json:"expires,omitzero"`
	ReadOnly bool      `json:"readOnly,omitempty" jsonschema:"only steps of machines change it"`

	JSON json.RawMessage `json:"-"`
}

// readReply is a value, if the key has one.
type readReply struct {
	Key   string          `json:"key"`
	Found bool            `json:"found" jsonschema:"whether the key has a value"`
	Value json.RawMessage `json:"value,omitempty" jsonschema:"the value, as it was written"`
	Entry *keyEntry       `json:"entry,omitempty"`
}

// writeReply is a value that was written.
type writeReply struct {
	Entry keyEntry   `json:"entry"`
	Head  board.Head `json:"head" jsonschema:"the end of the record with this write"`
}

// deleteReply is a key whose value was taken away.
type deleteReply struct {
	Deleted string     `json:"deleted" jsonschema:"the key"`
	Head    board.Head `json:"head" jsonschema:"the end of the record with this deletion"`
}

// listReply are keys.
type listReply struct {
	Count   int        `json:"count"`
	Entries []keyEntry `json:"entries" jsonschema:"sorted by key, without the values"`
}

// existsReply is the reply to the question whether a key has a value.
type existsReply struct {
	Key    string `json:"key"`
	Exists bool   `json:"exists"`
}

func (s *Server) addBlackboard() {
	b := s.options.Board
	addTool(s, tool{name: "blackboard_read", needs: look, reads: true, description: "Read the value of a key, with its version."},
		func(ctx context.Context, _ call, in keyInput) (readReply, error) {
			v, found, err := b.Read(ctx, in.Key)
			if err != nil || !found {
				return readReply{Key: in.Key}, err
			}
			e := keyEntry(v)
			return readReply{Key: v.Key, Found: true, Value: v.JSON, Entry: &e}, nil
		})
	addTool(s, tool{name: "blackboard_write", needs: need(access.Fire), description: "Give a key a value. With if_version it is written only if no other client has " +
		"since; keys that begin with fsm: change with the steps of machines only."}, s.writeKey)
	addTool(s, tool{name: "blackboard_list", needs: look, reads: true, description: "List the keys, or those with a prefix, with their versions."},
		func(ctx context.Context, c call, in listInput) (listReply, error) {
			infos, err := b.List(ctx, in.Prefix)
			infos = slices.DeleteFunc(infos, func(info board.Value) bool { return !c.canSee(machineOfKey(info.Key)) })
			entries := make([]keyEntry, len(infos))
			for i, info := range infos {
				entries[i] = keyEntry(info)
			}
			return listReply{Count: len(entries), Entries: entries}, err
		})
	addTool(s, tool{name: "blackboard_delete", needs: need(access.Fire), description: "Take the value of a key away."}, s.deleteKey)
	addTool(s, tool{name: "blackboard_exists", needs: look, reads: true, description: "Ask whether a key has a value."},
		func(ctx context.Context, _ call, in keyInput) (existsReply, error) {
			exists, err := b.Exists(ctx, in.Key)
			return existsReply{Key: in.Key, Exists: exists}, err
		})
}

func (s *Server) writeKey(ctx context.Context, c call, in writeInput) (writeReply, error) {
	v, head, err := s.options.Board.Write(ctx, board.WriteRequest{
		Key: in.Key, JSON: in.Value, IfVersion: in.IfVersion, TTL: time.Duration(in.TTL * float64(time.Second)),
		Agent: in.Agent, Identity: c.identity(),
	})
	if err != nil {
		return writeReply{}, refusedError(err, board.Result{Head: head})
	}

	return writeReply{Entry: keyEntry(v), Head: head}, nil
}

func (s *Server) deleteKey(ctx context.Context, c call, in deleteInput) (deleteReply, error) {
	head, err := s.options.Board.Delete(ctx, in.Key, in.IfVersion, in.Agent, c.identity())
	if err != nil {
		return deleteReply{}, refusedError(err, board.Result{Head: head})
	}

	return deleteReply{Deleted: in.Key, Head: head}, nil
}
