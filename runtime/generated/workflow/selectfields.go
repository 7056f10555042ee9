package workflow

// SelectFields is select_fields(data, include, rename): an object, or each object of a list, with
// the members that include lists, in that order, or with all if it is empty; rename has new names
// by the old ones. Missing members are left out.
func (data Value) SelectFields(include, rename Value) (Value, error) {
	fields, hasInclude, err := argument{"select_fields", "include", include}.asTexts()
	if err != nil {
		return Value{}, err
	}
	s := selection{include: fields, hasInclude: hasInclude, rename: rename}
	if err := s.checkRename(); err != nil {
		return Value{}, err
	}

	arg := argument{"select_fields", "data", data}
	switch data.Kind() {
	case kindObject:
		return s.selectFrom(arg, "", data)
	case kindList:
		return s.selectFromList(arg)
	}

	return Value{}, arg.mismatchError("an object or a list of objects")
}

type selection struct {
	include    []string
	hasInclude bool // include was given
	rename     Value
}

func (s *selection) checkRename() error {
	arg := argument{"select_fields", "rename", s.rename}
	if s.rename.Kind() != kindNone && s.rename.Kind() != kindObject {
		return arg.mismatchError("an object")
	}
	for name, to := range s.rename.Members() {
		if to.Kind() != kindText {
			return arg.mismatchErrorAt("."+formatPath([]string{name}), "text", to)
		}
	}

	return nil
}

func (s *selection) selectFromList(arg argument) (Value, error) {
	selected := make([]Value, 0, arg.value.memberCount())
	for i, object := range arg.value.Items() {
		if object.Kind() != kindObject {
			return Value{}, arg.mismatchErrorAt(formatIndex(i), "an object", object)
		}
		one, err := s.selectFrom(arg, formatIndex(i), object)
		if err != nil {
			return Value{}, err
		}
		selected = append(selected, one)
	}

	return newList(selected), nil
}

// selectFrom selects from one object, which is at path in the argument.
func (s *selection) selectFrom(arg argument, path string, object Value) (Value, error) {
	include := s.include
	if !s.hasInclude && object.memberCount() > 0 {
		include = object.shape.names
	}
	var members []Member
	taken := map[string]bool{}
	for _, name := range include {
		if !object.Has(name) {
			continue
		}
		to, renamed := s.rename.Get(name).AsText()
		if !renamed {
			to = name
		}
		if taken[to] {
			return Value{}, arg.mismatchErrorAt(path, "each field once", Text(to+" twice"))
		}
		taken[to] = true
		members = append(members, Member{Name: to, Value: object.Get(name)})
	}

	return Object(members...), nil
}
