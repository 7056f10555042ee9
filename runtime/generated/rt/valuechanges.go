package rt

// Changes are what is different in an object that was decoded before, so that a large object is not
// decoded again because of a small change.
type Changes struct {
	// Text is an object with the members that are new or different. Of a list that has items behind
	// those that it had, it has only the added ones.
	Text string
	// Size is how many bytes the text of the whole object has.
	Size int
	// Has reports whether the whole object has a member.
	Has func(name string) bool
	// Before has the items of each list that has only the added ones in Text, as a slice of the Go
	// type. It is appended to.
	Before map[string]any
}

// DecodeChanges decodes members of an object whose other members are valid. Their fields are zero.
// ok is false if the object is not valid, or if its changes alone do not show that it is: then
// [Reader.Decode] decides.
func (read Reader[T]) DecodeChanges(c Changes) (changed T, ok bool) {
	if c.Size > maxValueBytes {
		return changed, false
	}
	v, err := parseValue(c.Text)
	if err != nil {
		return changed, false
	}
	v.document.changes = &c
	changed = read(v)
	isRead := len(v.document.problems) == 0 && v.document.continued == len(c.Before)

	return changed, isRead && !v.document.isUncertain
}

// isUnchanged reports whether v is an object with a member that is not in the text.
func (v *JSON) isUnchanged(name string) bool {
	return v.isChanged() && v.parent < 0 && v.document.changes.Has(name)
}

// isChanged reports whether the document is [Changes] of an object.
func (v *JSON) isChanged() bool { return v.document.changes != nil }

// earlierItems returns the items of a list that are not in the text; nil without any.
func (v *JSON) earlierItems() any {
	if !v.isChanged() || v.parent != 0 {
		return nil
	}

	return v.document.changes.Before[v.name]
}
