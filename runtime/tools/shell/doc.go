// Package shell has the tool bash, which runs commands. It is off unless the project says shell: true, and it is no
// sandbox: a command can do whatever the user of the program can, including every file and the network. To prevent
// that, run the program in a container, or leave the tool off.
//
// A command runs in the project's files.root, without a terminal and without input, in an
// environment of its own: PATH is the one of the program, HOME is the folder, and no other
// variable, such as a key, is passed on. On Linux the first command also makes the memory and the
// environment of the program unreadable for processes of the same user (but not for root's). When
// its time is over, a command is ended together with all processes that it has started, except for
// those that have detached themselves. The same happens when the program ends, also if it is
// killed. Of its output, the beginning and the end are kept up to a limit.
package shell
