package input

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a file, with its article, as errors name it.
type Kind string

// The kinds of files that the code names. Other kinds, such as "a gzip file", are only in magics.
const (
	Text       Kind = "text" // text of no known kind
	Assembly   Kind = "assembly text"
	Object     Kind = "an object file"
	Checkpoint Kind = "a checkpoint"
	TOML       Kind = "a TOML file"
	Sweep      Kind = "a sweep file"
	JSON       Kind = "a JSON file"
	Binary     Kind = "binary data, or text in an encoding other than UTF-8"
)

// uses says what the user can do with a file of each kind. Each value is a format for the file's name.
var uses = map[Kind]string{
	Assembly:   "emsim run %s runs it",
	Object:     "emsim run %s runs it, emsim dis %[1]s prints its text",
	Checkpoint: "emsim run --resume %s continues it",
	TOML:       "a machine is chosen by --machine %s",
	Sweep:      "emsim sweep %s runs it",
}

// magics lists the first bytes by which kinds of files are recognised.
var magics = []struct {
	magic string
	kind  Kind
}{
	{"EMSIMOBJ", Object},
	{"EMSIMCKP", Checkpoint},
	{"\x7fELF", "an executable"},
	{"MZ\x90", "an executable"},
	{"\x1f\x8b", "a gzip file"},
	{"PK\x03\x04", "a zip archive"},
	{"\x28\xb5\x2f\xfd", "a zstd file"},
	{"\xfd7zXZ", "an xz file"},
	{"\x89PNG", "a picture"},
	{"\xff\xd8\xff", "a picture"},
	{"%PDF-", "a PDF file"},
}

// headSize is how many bytes are needed to recognise a file.
const headSize = 4096

// KindOf recognises a file by its beginning and, in doubt, by its name. It may need more than headSize bytes to
// distinguish a sweep file from other TOML.
func KindOf(name string, text []byte) Kind {
	for _, m := range magics {
		if bytes.HasPrefix(text, []byte(m.magic)) {
			return m.kind
		}
	}
	head := text[:min(len(text), headSize)]
	if isBinary(head) {
		return Binary
	}
	k := textKind(string(head), filepath.Ext(name))
	if k == TOML && (hasLine(text, "[[grid") || hasLine(text, "[[variant")) {
		return Sweep
	}
	return k
}

// isBinary reports whether head cannot begin a UTF-8 text. It cannot if it has a zero byte, or if more than eight
// bytes, and more than one in ten, are neither UTF-8, white space nor visible. A stray letter in another encoding is
// left to the file's reader.
func isBinary(head []byte) bool {
	strange := 0
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		switch {
		case r == 0:
			return true
		case r == utf8.RuneError && n == 1, r == 0x7f, r < ' ' && !strings.ContainsRune("\t\n\r\f", r):
			strange++
		}
		i += n
	}
	return strange > 8 && strange*10 > len(head)
}

// textKind returns the kind that the first line with content indicates.
func textKind(head, ext string) Kind {
	toml := ext == ".toml"
	head = strings.TrimPrefix(head, "\ufeff")
	for line := range strings.SplitSeq(head, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case line[0] == '#': // a comment of TOML
			toml = toml || ext != ".s" // in a .s file # is a mistake, which the assembler explains
			continue
		case line[0] == ';', directive.MatchString(line):
			return Assembly
		case strings.HasPrefix(line, "{"):
			return JSON
		case line[0] == '[':
			return TOML
		}
		key, value, found := strings.Cut(line, "=")
		value = strings.TrimSpace(value)
		if key = strings.TrimSpace(key); found && tomlKey.MatchString(key) && value != "" &&
			(toml || strings.ContainsRune(`"[{`, rune(value[0]))) {
			return TOML
		}
		break
	}
	if ext == ".s" {
		return Assembly
	}
	return Text
}

// directive matches the beginning of a line of assembly text, and tomlKey a key of TOML.
var (
	directive = regexp.MustCompile(`^\.[A-Za-z_]`)
	tomlKey   = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)
)

// hasLine reports whether a line begins with start.
func hasLine(text []byte, start string) bool {
	return bytes.HasPrefix(text, []byte(start)) || bytes.Contains(text, []byte("\n"+start))
}
