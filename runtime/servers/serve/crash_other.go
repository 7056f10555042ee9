//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package serve

func noCore() {}
