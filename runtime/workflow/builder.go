package workflow

// builder collects the members of an object.
type builder struct {
	names []string
	items []Value
	index map[string]int // from more than few members on
}

// put sets a member: in its place if it is there, else behind the others.
func (b *builder) put(name string, value Value) {
	if i := b.find(name); i >= 0 {
		b.items[i] = value
		return
	}
	if b.index != nil {
		b.index[name] = len(b.names)
	}
	b.names = append(b.names, name)
	b.items = append(b.items, value)
}

func (b *builder) find(name string) int {
	if len(b.names) <= few {
		for i, known := range b.names {
			if known == name {
				return i
			}
		}
		return -1
	}
	if b.index == nil {
		b.index = make(map[string]int, 2*len(b.names))
		for i, known := range b.names {
			b.index[known] = i
		}
	}
	if i, known := b.index[name]; known {
		return i
	}

	return -1
}

// object returns what was put; the builder must not be used any more.
func (b *builder) object() Value { return newObject(b.names, b.items) }
