// Package shell has the tool bash, which runs commands. It is off unless the project says shell: true, and it is no sandbox: a
// command can do what the user can under whom the program runs, the net and every file included. Whoever does not want that
// runs the program in a container, or leaves it off.
//
// A command runs in the project's files.root, without a terminal and without input, in an environment of its own: PATH is that
// of the program, HOME is the folder, and of the other variables, keys among them, it has none. On Linux the first command also
// makes the memory and the environment of the program unreadable for processes of the same user (but not for root's). A command
// ends when its time is over, and everything that it started and left behind ends with it, unless it has made itself
// independent. What it prints is kept up to a bound, its beginning and its end.
package shell
