package cli

import "syscall"

const getSettings, setSettings = syscall.TCGETS, syscall.TCSETS
