package core

import "github.com/agentc-dev/agentc/runtime/journal"

// outcome is what an effect comes to, whatever the type of its result.
type outcome interface {
	// carryOut does the effect.
	carryOut() error
	// skip makes do with what the effect comes to when nobody repeats it.
	skip(in *intent) error
	// give takes the result that a person has given.
	give(text string, isJSON bool)
	// fields are the result as it is recorded, read takes it from there.
	fields() []journal.Field
	read(r *journal.Record) error
}

type outcomeOf[T any] struct {
	codec  codec[T]
	effect func() (T, error)
	value  T
}

func (o *outcomeOf[T]) carryOut() (err error) {
	o.value, err = o.effect()

	return err
}

func (o *outcomeOf[T]) skip(in *intent) (err error) {
	o.value, err = o.codec.skipped(in)

	return err
}

func (o *outcomeOf[T]) give(text string, isJSON bool) { o.value = o.codec.given(text, isJSON) }

func (o *outcomeOf[T]) fields() []journal.Field { return o.codec.fields(o.value) }

func (o *outcomeOf[T]) read(r *journal.Record) (err error) {
	o.value, err = o.codec.read(r)

	return err
}
