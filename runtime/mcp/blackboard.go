package mcp

import (
	"context"
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime/board"
)

// KeyInput are the arguments of the tools that look at one key.
type KeyInput struct {
	Key string `json:"key" jsonschema:"the key; fsm:ID:state and fsm:ID:history are those of a machine"`
	Claim
}

func (in KeyInput) check() error { return required("key", in.Key) }

// WriteInput are the arguments of blackboard_write.
type WriteInput struct {
	KeyInput
	Value     json.RawMessage `json:"value" jsonschema:"any JSON; it is kept as it is"`
	IfVersion *uint64         `json:"if_version,omitempty" jsonschema:"write only if the key has this version; 0: if it has no value"`
	TTL       float64         `json:"ttl,omitempty" jsonschema:"seconds after which the value is gone; without it stays"`
}

// longestTTL is longer than anything lives, and fits a time.Duration.
const longestTTL = 100 * 365 * 24 * time.Hour

func (in WriteInput) check() error {
	if err := in.KeyInput.check(); err != nil {
		return err
	}
	if len(in.Value) == 0 {
		return &ArgumentError{Argument: "value", Problem: "is required"}
	}
	if in.TTL < 0 || in.TTL > longestTTL.Seconds() {
		return &ArgumentError{Argument: "ttl", Problem: "is not a time from now on"}
	}

	return nil
}

// claimed leaves a false claim to the board, which refuses and records it.
func (in WriteInput) claimed() string { return "" }

// DeleteInput are the arguments of blackboard_delete.
type DeleteInput struct {
	KeyInput
	IfVersion *uint64 `json:"if_version,omitempty" jsonschema:"delete only if the key has this version"`
}

// claimed is as that of WriteInput.
func (in DeleteInput) claimed() string { return "" }

// ListInput are the arguments of blackboard_list.
type ListInput struct {
	Prefix string `json:"prefix,omitempty" jsonschema:"only keys that begin with this"`
	Claim
}

// Entry is what is known of a value beside itself.
type Entry struct {
	Key      string     `json:"key"`
	Version  uint64     `json:"version" jsonschema:"grows with every write and never comes again"`
	Agent    string     `json:"agentId,omitempty" jsonschema:"who wrote it, by its own account"`
	Identity string     `json:"identity,omitempty" jsonschema:"who wrote it, by its credential"`
	Time     time.Time  `json:"timestamp"`
	Expires  *time.Time `json:"expires,omitempty"`
	ReadOnly bool       `json:"readOnly,omitempty" jsonschema:"only steps of machines change it"`
}

// ReadReply is a value, if the key has one.
type ReadReply struct {
	OK    bool            `json:"ok" jsonschema:"whether it was done"`
	Key   string          `json:"key"`
	Found bool            `json:"found" jsonschema:"whether the key has a value"`
	Value json.RawMessage `json:"value,omitempty" jsonschema:"the value, as it was written"`
	Entry *Entry          `json:"entry,omitempty"`
}

// WriteReply is a value that was written.
type WriteReply struct {
	OK    bool       `json:"ok" jsonschema:"whether it was done"`
	Entry Entry      `json:"entry"`
	Head  board.Head `json:"head" jsonschema:"the end of the record with this write"`
}

// DeleteReply is a key whose value was taken away.
type DeleteReply struct {
	OK      bool       `json:"ok" jsonschema:"whether it was done"`
	Deleted string     `json:"deleted" jsonschema:"the key"`
	Head    board.Head `json:"head" jsonschema:"the end of the record with this deletion"`
}

// ListReply are keys.
type ListReply struct {
	OK      bool    `json:"ok" jsonschema:"whether it was done"`
	Count   int     `json:"count"`
	Entries []Entry `json:"entries" jsonschema:"sorted by key, without the values"`
}

// ExistsReply says whether a key has a value.
type ExistsReply struct {
	OK     bool   `json:"ok" jsonschema:"whether it was done"`
	Key    string `json:"key"`
	Exists bool   `json:"exists"`
}

func (s *Server) addBlackboard() {
	b := s.options.Board
	add(s, tool{name: "blackboard_read", reads: true, description: "Read the value of a key, with its version."},
		func(ctx context.Context, _ call, in KeyInput) (ReadReply, error) {
			v, found, err := b.Read(ctx, in.Key)
			if err != nil || !found {
				return ReadReply{OK: true, Key: in.Key}, err
			}
			e := entryOf(v.Info)
			return ReadReply{OK: true, Key: v.Key, Found: true, Value: v.JSON, Entry: &e}, nil
		})
	add(s, tool{name: "blackboard_write", description: "Give a key a value. With if_version it is written only if nobody else has " +
		"since; keys that begin with fsm: change with the steps of machines only."}, s.write)
	add(s, tool{name: "blackboard_list", reads: true, description: "List the keys, or those with a prefix, with their versions."},
		func(ctx context.Context, _ call, in ListInput) (ListReply, error) {
			infos, err := b.List(ctx, in.Prefix)
			entries := make([]Entry, len(infos))
			for i, info := range infos {
				entries[i] = entryOf(info)
			}
			return ListReply{OK: true, Count: len(entries), Entries: entries}, err
		})
	add(s, tool{name: "blackboard_delete", description: "Take the value of a key away."}, s.delete)
	add(s, tool{name: "blackboard_exists", reads: true, description: "Ask whether a key has a value."},
		func(ctx context.Context, _ call, in KeyInput) (ExistsReply, error) {
			exists, err := b.Exists(ctx, in.Key)
			return ExistsReply{OK: true, Key: in.Key, Exists: exists}, err
		})
}

func (s *Server) write(ctx context.Context, c call, in WriteInput) (WriteReply, error) {
	v, head, err := s.options.Board.Write(ctx, board.WriteRequest{
		Key: in.Key, JSON: in.Value, IfVersion: in.IfVersion, TTL: time.Duration(in.TTL * float64(time.Second)),
		Agent: in.Agent, Identity: c.identity,
	})
	if err != nil {
		return WriteReply{}, refused(err, board.Result{Head: head})
	}

	return WriteReply{OK: true, Entry: entryOf(v.Info), Head: head}, nil
}

func (s *Server) delete(ctx context.Context, c call, in DeleteInput) (DeleteReply, error) {
	head, err := s.options.Board.Delete(ctx, board.DeleteRequest{
		Key: in.Key, IfVersion: in.IfVersion, Agent: in.Agent, Identity: c.identity,
	})
	if err != nil {
		return DeleteReply{}, refused(err, board.Result{Head: head})
	}

	return DeleteReply{OK: true, Deleted: in.Key, Head: head}, nil
}

func entryOf(info board.Info) Entry {
	return Entry{
		Key: info.Key, Version: info.Version, Agent: info.Agent, Identity: info.Identity, Time: info.Time,
		Expires: timeOrNone(info.Expires), ReadOnly: info.ReadOnly,
	}
}
