package command

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"emsim/internal/base/escape"
	"emsim/internal/base/input"
	"emsim/internal/machine/recipe"
)

// resultFile is what a result may be.
var resultFile = input.Want{What: "a result of emsim", Most: 1 << 31, Why: "a larger one is not compared"}

// readResult returns a result, unpacked, and its recipe with its text. Of a table and the
// recipe beside it either may be named.
func readResult(file string) (result []byte, r recipe.Recipe, text string, err error) {
	if result, err = readUnpacked(file); err != nil {
		return nil, r, "", usagef("%w", err)
	}
	r, text = recipe.Find(result)
	if table := tableOf(result); r.Output != "" && table != "" {
		if result, err = readUnpacked(filepath.Join(filepath.Dir(file), filepath.Base(table))); err != nil {
			return nil, r, "", usagef("the recipe is of a table: %w", err)
		}
	}
	for _, name := range []string{file + ".json", strings.TrimSuffix(file, filepath.Ext(file)) + ".json"} {
		if beside, err := readUnpacked(name); text == "" && err == nil && tableOf(beside) == filepath.Base(file) {
			r, text = recipe.Find(beside)
		}
	}
	if text == "" {
		return nil, r, "", usagef("%s does not say how it was made: expected a result of emsim 0.1.0 or later, or a table with %s.json beside it", file, filepath.Base(file))
	}
	return result, r, text, nil
}

// tableOf is the table that a JSON file is about, "" if it is about none.
func tableOf(text []byte) string {
	var x struct{ Table string }
	_ = json.Unmarshal(text, &x) // another file is about no table
	return x.Table
}

// readUnpacked reads a file, which may be compressed.
func readUnpacked(name string) ([]byte, error) {
	text, err := resultFile.Read(name)
	if err != nil {
		return nil, err
	}
	var plain io.Reader
	switch {
	case bytes.HasPrefix(text, []byte("\x1f\x8b")):
		plain, err = gzip.NewReader(bytes.NewReader(text))
	case bytes.HasPrefix(text, []byte("\x28\xb5\x2f\xfd")):
		plain, err = zstd.NewReader(bytes.NewReader(text), zstd.WithDecoderConcurrency(1))
	default:
		return text, nil
	}
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(plain, resultFile.Most+1))
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be unpacked: %w", name, err)
	}
	return text, resultFile.Check(name, text)
}

// different is a place where two results are not equal.
type different struct {
	Byte   int    `json:"byte"`             // from 0, unpacked, of JSON as emsim prints it
	Line   int    `json:"line,omitempty"`   // of a text, from 1
	Column int    `json:"column,omitempty"` // from 1, in characters
	Was    string `json:"was,omitempty"`    // the line there
	Is     string `json:"is,omitempty"`
}

// firstDifference compares two results.
func firstDifference(was, is []byte) *different {
	was, is = comparable(was), comparable(is)
	if bytes.Equal(was, is) {
		return nil
	}
	at := 0
	for at < min(len(was), len(is)) && was[at] == is[at] {
		at++
	}
	d := &different{Byte: at}
	if isText := func(t []byte) bool { return utf8.Valid(t) && !bytes.ContainsRune(t, 0) }; isText(was) && isText(is) {
		begin := 1 + bytes.LastIndexByte(was[:at], '\n')
		d.Line, d.Column = 1+bytes.Count(was[:at], []byte("\n")), 1+utf8.RuneCount(was[begin:at])
		d.Was, d.Is = lineAt(was, begin, at), lineAt(is, begin, at)
	}
	return d
}

// lineAt is the line that begins at a byte, or the part of a long one around another.
func lineAt(text []byte, begin, at int) string {
	from := max(begin, at-60) // half of what is shown
	line, _, _ := strings.Cut(string(text[min(from, len(text)):]), "\n")
	if from > begin {
		line = "..." + line
	}
	return escape.Line(fmt.Sprintf("%.120s", strings.ToValidUTF8(line, "")))
}

var (
	// unequalKeys are those of wall times, of speeds, and of the names of outputs.
	unequalKeys = regexp.MustCompile(`"(wall_seconds|fast_share|[a-z_]+_per_second|file|output|table|sidecar|directory|plot|bytes|ran)": ("(?:[^"\\]|\\.)*"|[-+0-9.eE]+|null)`)
	// folders are in front of the names of inputs.
	folders = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*/`)
)

// comparable is JSON in one form, without what may differ; other files are compared as
// they are.
func comparable(text []byte) []byte {
	var b bytes.Buffer
	if head := bytes.TrimLeft(text, " \n"); len(head) == 0 || head[0] != '{' && head[0] != '[' || json.Indent(&b, head, "", "  ") != nil {
		return text
	}
	return folders.ReplaceAll(unequalKeys.ReplaceAll(bytes.TrimSpace(b.Bytes()), []byte(`"$1": ...`)), []byte(`"`))
}

// The words of a line that quoted has made, and what is quoted in them.
var (
	shellWords  = regexp.MustCompile(`(?:[^ '\\]|'[^']*'|\\.)+`)
	shellQuotes = regexp.MustCompile(`'([^']*)'|\\(.)`)
)

// unquoted are the words of a line that quoted has made.
func unquoted(line string) []string {
	return listOf(shellWords.FindAllString(line, -1), func(w string) string { return shellQuotes.ReplaceAllString(w, "$1$2") })
}
