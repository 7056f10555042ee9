package openai

import "github.com/agentc-dev/agentc/runtime/internal/remote"

// partDecoder reads the parts of one reply. Nearly all of them say the same around a word or two.
type partDecoder struct {
	alike remote.Alike
	// pattern is the part that those which are alike are, but for the content of its delta.
	pattern completion
}

// decode reads a part, which is there until the next is read.
func (p *partDecoder) decode(data []byte) (*completion, error) {
	if text, ok := p.alike.Text(data); ok {
		p.pattern.Choices[0].Delta.Content = content(text)

		return &p.pattern, nil
	}
	s := &scanner{text: data}
	if c, ok := s.reply(); ok {
		if len(c.Choices) == 1 && s.content != (remote.Span{}) {
			p.alike.Learn(data, s.content, s.filler)
			p.pattern = c
		}

		return &c, nil
	}
	c, err := unmarshalReply(data)

	return &c, err
}
