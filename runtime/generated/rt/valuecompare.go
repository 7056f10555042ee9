package rt

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Distinct reports whether no two elements of a list are equal by the rules of JSON Schema: 1 and
// 1.0 are equal, and so are objects whose members are in another order. Anything but a list is
// distinct.
func (v *JSON) Distinct() bool {
	if v.kind != valueList {
		return true
	}
	if v.earlierItems() != nil {
		v.document.isUncertain = true
	}
	seen := make(map[string]bool, v.count)
	for item := range v.children {
		var b strings.Builder
		item.writeCanonical(&b)
		if seen[b.String()] {
			return false
		}
		seen[b.String()] = true
	}

	return true
}

// writeCanonical writes v so that equal values, and only those, give equal texts.
func (v *JSON) writeCanonical(b *strings.Builder) {
	switch v.kind {
	case valueText:
		b.WriteString(strconv.Quote(v.Text()))
	case valueNumber:
		d, ok := parseDecimal(v.Literal())
		switch {
		case !ok:
			b.WriteString(v.Literal())
		case d.digits == "":
			b.WriteString("0")
		default:
			b.WriteString(d.sign + d.digits + "e" + strconv.Itoa(d.exponent))
		}
	case valueList:
		b.WriteByte('[')
		for item := range v.children {
			item.writeCanonical(b)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case valueObject:
		v.canonicalObject(b)
	default:
		b.WriteString(v.Literal())
	}
}

func (v *JSON) canonicalObject(b *strings.Builder) {
	sorted := slices.Collect(v.children)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].name < sorted[j].name })

	b.WriteByte('{')
	for _, member := range sorted {
		b.WriteString(strconv.Quote(member.name))
		b.WriteByte(':')
		member.writeCanonical(b)
		b.WriteByte(',')
	}
	b.WriteByte('}')
}
