package openai

import "github.com/agentc-dev/agentc/runtime/internal/remote"

// scanReply reads a reply, or a part of one, that is written as nearly all are, several times as fast as encoding/json: a stream
// has a part for every few letters. Whatever is unusual, be it only a name in capitals, is not ok and left to encoding/json; what is
// ok is what encoding/json makes of it, too.
func scanReply(text []byte) (c completion, ok bool) { return (&scanner{text: text}).reply() }

func (s *scanner) reply() (c completion, ok bool) {
	for m := s.object(); m.next(); {
		switch string(m.current) {
		case "model":
			c.Model = lenient(m.text(1))
		case "choices":
			c.Choices = m.choices(2)
		case "usage":
			c.Usage = m.usage(4)
		case "error":
			s.failed = true
		default:
			s.fill()
		}
	}
	s.white()

	return c, !s.failed && s.at == len(s.text)
}

// fill passes over a member of the reply, and notes where it stands if it is text: some servers add one at random to every part.
func (s *scanner) fill() {
	from, text := s.at+1, s.peek() == '"'
	s.skip(0)
	if text {
		s.filler = remote.Span{From: from, To: s.at - 1}
	}
}

func (m *members) choices(bit uint) []choice {
	s := m.once(bit)
	if s.null() {
		return nil
	}
	all := []choice{}
	for list := s.list(); list.next(); {
		all = append(all, s.choice())
	}

	return all
}

// deltaBit is which member of a choice the delta is.
const deltaBit = 2

func (s *scanner) choice() (c choice) {
	for m := s.object(); m.next(); {
		switch string(m.current) {
		case "index":
			c.Index = lenient(m.number(8))
		case "message":
			c.Message = m.message(1)
		case "delta":
			c.Delta = m.message(deltaBit)
		case "finish_reason":
			c.Finish = lenient(m.text(4))
		default:
			s.skip(0)
		}
	}

	return c
}

func (m *members) message(bit uint) (made message) {
	s := m.once(bit)
	for inner := s.object(); inner.next(); {
		switch string(inner.current) {
		case "content":
			made.Content = content(inner.text(1))
			if bit == deltaBit {
				s.content = s.last
			}
		case "refusal":
			made.Refusal = lenient(inner.text(2))
		case "tool_calls":
			made.Calls = inner.calls(4)
		case "reasoning_content":
			made.Thoughts = inner.some(8)
		case "reasoning":
			made.Reasoning = inner.some(16)
		default:
			s.skip(0)
		}
	}

	return made
}

// some reports whether the value of a member says anything.
func (m *members) some(bit uint) some {
	s := m.once(bit)
	from := s.at
	s.skip(0)

	return someOf(s.text[from:s.at])
}

func (m *members) calls(bit uint) []toolCall {
	s := m.once(bit)
	if s.null() {
		return nil
	}
	all := []toolCall{}
	for list := s.list(); list.next(); {
		all = append(all, s.call())
	}

	return all
}

func (s *scanner) call() (c toolCall) {
	for m := s.object(); m.next(); {
		switch string(m.current) {
		case "index":
			c.Index = lenient(m.number(1))
		case "id":
			c.ID = lenient(m.text(2))
		case "function":
			c.Function.Name, c.Function.Arguments = m.function(4)
		case "extra_content":
			s.failed = true
		default:
			s.skip(0)
		}
	}

	return c
}

func (m *members) function(bit uint) (name, arguments lenient) {
	s := m.once(bit)
	for inner := s.object(); inner.next(); {
		switch string(inner.current) {
		case "name":
			name = lenient(inner.text(1))
		case "arguments":
			arguments = lenient(inner.text(2))
		default:
			s.skip(0)
		}
	}

	return name, arguments
}

func (m *members) usage(bit uint) *usage {
	s := m.once(bit)
	if s.null() {
		return nil
	}
	var u usage
	for inner := s.object(); inner.next(); {
		switch string(inner.current) {
		case "prompt_tokens":
			u.Prompt = inner.count(1)
		case "completion_tokens":
			u.Completion = inner.count(2)
		case "total_tokens":
			u.Total = inner.count(4)
		case "prompt_tokens_details":
			u.Details = inner.details(8)
		case "prompt_cache_hit_tokens":
			u.Hits = inner.count(16)
		case "cost":
			s.failed = true
		default:
			s.skip(0)
		}
	}

	return &u
}

func (m *members) details(bit uint) (made details) {
	s := m.once(bit)
	if s.null() {
		return made
	}
	for inner := s.object(); inner.next(); {
		switch string(inner.current) {
		case "cached_tokens":
			made.Cached = inner.count(1)
		case "cache_write_tokens":
			made.Stored = inner.count(2)
		default:
			s.skip(0)
		}
	}

	return made
}
