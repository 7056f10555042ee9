package usercode

import "context"

// Cause returns why a context has ended; nil if it has not.
func Cause(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}

	return context.Cause(ctx)
}
