package cli

import "syscall"

const getSettings = syscall.TCGETS
