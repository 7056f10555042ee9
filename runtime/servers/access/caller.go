package access

// Lookup returns what the holder of a token may do; ok is false for a token that is not known, or not any more. It is
// called for each request, and again while one takes its time. It has to be safe for concurrent use.
type Lookup = func(token string) (g Grant, ok bool)

// Caller is who makes a request. The zero Caller comes where no token is needed, and may do everything.
type Caller struct {
	name  string
	token string
	// lookup is nil for a caller without a token.
	lookup Lookup
}

// Named returns a caller who may do everything: no token proves the name.
func Named(name string) Caller { return Caller{name: name} }

// Holder returns the caller who holds a token. A nil lookup needs no token. Errors: *TokenError.
func Holder(lookup Lookup, token string) (Caller, error) {
	if lookup == nil {
		return Caller{}, nil
	}
	g, ok := lookup(token)
	if !ok {
		return Caller{}, &TokenError{}
	}

	return Caller{name: g.Name, token: token, lookup: lookup}, nil
}

// Name returns the name of the caller; "" if it is not known.
func (c Caller) Name() string { return c.name }

// HasToken reports whether the caller is known by a token.
func (c Caller) HasToken() bool { return c.lookup != nil }

// Grant returns what the caller may do now. Errors: *TokenError if its token has been revoked.
func (c Caller) Grant() (Grant, error) {
	if c.lookup == nil {
		return Grant{Name: c.name}, nil
	}
	g, ok := c.lookup(c.token)
	if !ok || g.Name != c.name {
		return Grant{}, &TokenError{Problem: "the token of " + c.name + " has been revoked"}
	}

	return g, nil
}

// Check returns why the caller may not do what the right is for. Errors: *RightError, *TokenError.
func (c Caller) Check(right Right, t Target) error {
	g, err := c.Grant()
	if err != nil {
		return err
	}

	return g.checkRight(right, t)
}

// CanSee reports whether the caller may see a run: it has started the run, or may read those of its agent.
func (c Caller) CanSee(t Target) bool {
	g, err := c.Grant()
	if err != nil {
		return false
	}

	return g.CanSee(t)
}
