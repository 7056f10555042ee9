package remote

import "strings"

// Pieces is a text that grows piece by piece, in memory of about its size: it is not copied to grow, but once when it is whole. The zero
// value is empty.
type Pieces struct {
	full []string
	last strings.Builder
	size int
}

// pieceSize is how much of a long text is kept together.
const pieceSize = 64 << 10

// WriteString adds text.
func (p *Pieces) WriteString(text string) {
	if p.last.Len() > 0 && p.last.Len()+len(text) > pieceSize {
		p.full = append(p.full, p.last.String())
		p.last.Reset()
		p.last.Grow(pieceSize)
	}
	p.last.WriteString(text)
	p.size += len(text)
}

// Len is how many bytes the text has.
func (p *Pieces) Len() int { return p.size }

// String returns the text.
func (p *Pieces) String() string {
	switch {
	case len(p.full) == 0:
		return p.last.String()
	case len(p.full) == 1 && p.last.Len() == 0:
		return p.full[0]
	}
	whole := strings.Join(append(p.full, p.last.String()), "")
	p.full, p.last = []string{whole}, strings.Builder{}

	return whole
}
