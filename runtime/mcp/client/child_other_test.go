//go:build !unix

package client_test

import "errors"

func leaveChild() error { return errors.New("children are not followed here") }

func gone(int) {}
