//go:build unix

package postgrestest

import (
	"cmp"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// dropPrivileges has a command run by a user who is not root, whom the folder then belongs to: the
// server refuses to run otherwise.
func dropPrivileges(cmd *exec.Cmd, dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		account, err = user.Lookup("nobody")
		if err != nil {
			return err
		}
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	gid, wrong := strconv.ParseUint(account.Gid, 10, 32)
	if err := cmp.Or(err, wrong); err != nil {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}

	return os.Chown(dir, int(uid), int(gid))
}
