package cli

import (
	"errors"
	"syscall"
	"unsafe"
)

// isTerminal asks for the console's mode, which only a console has.
func isTerminal(fd uintptr) bool {
	var mode uint32
	return syscall.GetConsoleMode(syscall.Handle(fd), &mode) == nil
}

// linesAndEcho are ENABLE_LINE_INPUT and ENABLE_ECHO_INPUT.
const linesAndEcho = 2 | 4

// readKeys has the console deliver single keys, unseen; an interrupt stays one.
func readKeys(fd uintptr) (restore func(), ok bool) {
	var before uint32
	if syscall.GetConsoleMode(syscall.Handle(fd), &before) != nil {
		return nil, false
	}
	worked, _, _ := setConsoleMode.Call(fd, uintptr(before&^linesAndEcho))

	return func() { _, _, _ = setConsoleMode.Call(fd, uintptr(before)) }, worked != 0
}

var (
	kernel         = syscall.NewLazyDLL("kernel32.dll")
	bufferInfo     = kernel.NewProc("GetConsoleScreenBufferInfo")
	setConsoleMode = kernel.NewProc("SetConsoleMode")
)

// sizeOf asks the console for its window; 0 where it does not know.
func sizeOf(fd uintptr) (columns, rows int) {
	var info struct {
		size, cursor             struct{ x, y int16 }
		attributes               uint16
		left, top, right, bottom int16
		most                     struct{ x, y int16 }
	}
	if ok, _, _ := bufferInfo.Call(fd, uintptr(unsafe.Pointer(&info))); ok == 0 {
		return 0, 0
	}

	return int(info.right-info.left) + 1, int(info.bottom-info.top) + 1
}

// obeysSequences is ENABLE_VIRTUAL_TERMINAL_PROCESSING.
const obeysSequences = 4

// enableEscapes makes the console obey escape sequences, which older ones do only if they are asked
// to, and reports whether it does.
func enableEscapes(fd uintptr) bool {
	var mode uint32
	if syscall.GetConsoleMode(syscall.Handle(fd), &mode) != nil {
		return false
	}
	ok, _, _ := setConsoleMode.Call(fd, uintptr(mode|obeysSequences))

	return ok != 0
}

// errNoData is ERROR_NO_DATA: the pipe is being closed.
const errNoData = syscall.Errno(232)

// readerGone reports whether an error of writing means that the reader is gone.
func readerGone(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errNoData)
}
