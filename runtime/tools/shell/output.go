package shell

import (
	"fmt"
	"strings"
)

// output keeps the beginning and the end of what is written to it, half of max each. It takes everything, so that a command
// that prints a lot is not held up.
type output struct {
	max        int
	head, tail []byte
	left       int64 // bytes between them that are left out
}

func (o *output) Write(p []byte) (int, error) {
	n := len(p)
	half := o.max / 2
	if room := half - len(o.head); room > 0 {
		room = min(room, len(p))
		o.head, p = append(o.head, p[:room]...), p[room:]
	}
	o.tail = append(o.tail, p...)
	if over := len(o.tail) - half; over > half {
		// Only now and then, so that each byte is moved once.
		o.trim(over)
	}

	return n, nil
}

// trim leaves out the first bytes of the tail.
func (o *output) trim(n int) {
	o.left += int64(n)
	o.tail = o.tail[:copy(o.tail, o.tail[n:])]
}

// String is what was kept, as text in UTF-8.
func (o *output) String() string {
	if over := len(o.tail) - o.max/2; over > 0 {
		o.trim(over)
	}
	text := string(o.head) + string(o.tail)
	if o.left > 0 {
		text = fmt.Sprintf("%s\n[%d bytes are left out here]\n%s", o.head, o.left, o.tail)
	}

	return strings.ToValidUTF8(text, "\ufffd")
}
