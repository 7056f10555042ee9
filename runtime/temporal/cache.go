package temporal

import (
	"container/list"
	"sync"
)

// cached is how many conversations a worker has at hand.
const cached = 1000

// cache keeps what was asked for last.
type cache[V any] struct {
	mu    sync.Mutex
	order list.List // of entry, the newest first
	found map[string]*list.Element
}

type entry[V any] struct {
	key   string
	value V
}

func (c *cache[V]) get(key string) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.found[key]
	if at == nil {
		return value, false
	}
	c.order.MoveToFront(at)

	return at.Value.(entry[V]).value, true
}

func (c *cache[V]) put(key string, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found == nil {
		c.found = map[string]*list.Element{}
	}
	if at := c.found[key]; at != nil {
		c.order.MoveToFront(at)

		return
	}
	c.found[key] = c.order.PushFront(entry[V]{key, value})
	if c.order.Len() > cached {
		last := c.order.Back()
		c.order.Remove(last)
		delete(c.found, last.Value.(entry[V]).key)
	}
}
