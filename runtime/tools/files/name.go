package files

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lengths in bytes that every file system of today takes.
const (
	longestPath = 1024
	longestName = 255
)

// clean returns the path as the folder is asked for it: "." is the folder itself. The error says to a model what is wrong with
// the path.
func clean(path string) (string, error) {
	switch {
	case path == "":
		return "", errors.New("the path is empty")
	case len(path) > longestPath:
		return "", fmt.Errorf("the path has %d bytes, and may have %d", len(path), longestPath)
	case !utf8.ValidString(path):
		return "", errors.New("the path is not UTF-8")
	case strings.Contains(path, `\`):
		return "", fmt.Errorf("%q has a backslash: write it with forward slashes", path)
	case strings.HasPrefix(path, "/"):
		return "", fmt.Errorf("%q is absolute: write it relative to the project's files", path)
	}

	var names []string
	for _, name := range strings.Split(path, "/") {
		if name == "" || name == "." {
			continue
		}
		if problem := nameProblem(name); problem != "" {
			return "", fmt.Errorf("%q cannot be reached: the name %q %s", path, name, problem)
		}
		names = append(names, name)
	}
	if names == nil {
		return ".", nil
	}

	return strings.Join(names, "/"), nil
}

// nameProblem returns why no tool goes to a name of a path; "" if one may.
func nameProblem(name string) string {
	switch {
	case name == "..":
		return "leads out of its folder; paths only go down"
	case len(name) > longestName:
		return fmt.Sprintf("has %d bytes, and may have %d", len(name), longestName)
	case strings.HasPrefix(name, "."):
		return "begins with a dot; such files are out of reach"
	case strings.HasSuffix(name, "."), strings.HasSuffix(name, " "), strings.HasPrefix(name, " "):
		return "begins or ends with a space, or ends with a dot; not every system keeps such a name"
	case strings.ContainsAny(name, `<>:"|?*`):
		return `has one of < > : " | ? *, which not every system takes`
	case strings.ContainsFunc(name, unseen):
		return "has a character that cannot be seen"
	case shortened(name):
		return "looks like the short form that Windows has of another name"
	case reserved(name):
		return "is a device on Windows"
	}

	return ""
}

// unseen reports whether a character may be left out when names are compared, as some file systems do: then it could be before
// a dot that must not begin a name.
func unseen(r rune) bool {
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// shortened reports whether Windows could take a name for its short form of another one, as GIT~1 is of .git.
func shortened(name string) bool {
	for rest := name; ; {
		_, after, ok := strings.Cut(rest, "~")
		if !ok {
			return false
		}
		if after != "" && after[0] >= '0' && after[0] <= '9' {
			return true
		}
		rest = after
	}
}

// reserved reports whether Windows has a device of this name, whatever is behind a dot.
func reserved(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRightFunc(base, unicode.IsSpace))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	port, ok := strings.CutPrefix(base, "COM")
	if !ok {
		port, ok = strings.CutPrefix(base, "LPT")
	}

	return ok && utf8.RuneCountInString(port) == 1 && strings.Contains("0123456789¹²³", port)
}
