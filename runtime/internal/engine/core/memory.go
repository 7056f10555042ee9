package core

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
)

// memory is what the memory tools of one run share, all branches included. Values are kept as the
// JSON that was stored.
type memory struct {
	// order is held from the call of a memory tool until its result is recorded, where results are.
	order sync.Mutex

	mu     sync.Mutex
	values map[string]json.RawMessage
}

// isMemory reports whether a tool is one that call knows.
func isMemory(spec *runtime.ToolSpec) bool {
	switch spec.Name {
	case "mem_set", "mem_get", "mem_append":
		return spec.Builtin
	}

	return false
}

// call runs a memory tool; ok is false for any other. To a name with the older prefix it answers as
// projects of that time expect: to an append with the whole list.
func (m *memory) call(name string, args json.RawMessage) (result runtime.ToolResult, ok bool) {
	var in struct {
		Key   string
		Value json.RawMessage
		Item  json.RawMessage
	}
	if err := json.Unmarshal(args, &in); err != nil {
		in.Key = ""
	}

	m.mu.Lock()
	defer m.mu.Unlock()
	name, older := strings.CutPrefix(name, "tama_")
	switch name {
	case "mem_set":
		m.set(in.Key, in.Value)

		return runtime.ToolResult{Text: fmt.Sprintf("stored under %q", in.Key)}, true
	case "mem_get":
		if _, known := m.values[in.Key]; older && !known {
			return runtime.ToolResult{Text: fmt.Sprintf("[no value stored for key '%s']", in.Key)}, true
		}

		return m.get(in.Key), true
	case "mem_append":
		result = m.append(in.Key, in.Item)
		if older && result.Problem == "" {
			result = runtime.ToolResult{Text: string(m.values[in.Key]), JSON: true}
		}

		return result, true
	}

	return runtime.ToolResult{}, false
}

func (m *memory) set(key string, value json.RawMessage) {
	if m.values == nil {
		m.values = map[string]json.RawMessage{}
	}
	m.values[key] = value
}

func (m *memory) get(key string) runtime.ToolResult {
	value, ok := m.values[key]
	if !ok {
		return runtime.ToolResult{Text: fmt.Sprintf("nothing is stored under %q", key)}
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return runtime.ToolResult{Text: text}
	}

	return runtime.ToolResult{Text: string(value), JSON: true}
}

// append adds an item to a list. Text that is JSON is added as that JSON.
func (m *memory) append(key string, item json.RawMessage) runtime.ToolResult {
	var items []json.RawMessage
	if stored, ok := m.values[key]; ok {
		if err := json.Unmarshal(stored, &items); err != nil || items == nil {
			return runtime.ToolResult{Problem: fmt.Sprintf("what is stored under %q is not a list; nothing was changed", key)}
		}
	}

	var text string
	if json.Unmarshal(item, &text) == nil && json.Valid([]byte(text)) {
		item = json.RawMessage(text)
	}
	stored, err := json.Marshal(append(items, item))
	if err != nil {
		return runtime.ToolResult{Problem: "the item is not JSON: " + err.Error()}
	}
	m.set(key, stored)

	return runtime.ToolResult{Text: fmt.Sprintf("appended to %q, which has %d items now", key, len(items)+1)}
}
