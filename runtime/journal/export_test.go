package journal

import "github.com/agentc-dev/agentc/runtime/internal/files"

// FilesOf is Files on another system than the disk's.
func FilesOf(dir string, system files.System) Store { return &folder{dir, system} }

// Sealed is a journal with one block of that payload.
func Sealed(run string, payload []byte) []byte {
	block := append(make([]byte, blockHead), payload...)
	sealBlock(block, 1, seedOf(run))

	return append([]byte(headerLine(run)), block...)
}
