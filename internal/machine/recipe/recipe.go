// Package recipe records in a result how it was made, so that others can reproduce it. A recipe contains the version of
// emsim, the command line, the files and the machine.
//
//	recipe.go  a recipe and its text; writing the text into each file format, and finding it again
package recipe

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"strings"

	"emsim/internal/base/input"
	"emsim/internal/base/ordered"
	"emsim/internal/machine/machinefile"
)

// Recipe says how a result was made. docs/FORMATS.md describes the keys.
type Recipe struct {
	Version     string  `json:"version"`                  // of emsim
	Fingerprint string  `json:"fingerprint"`              // of its models
	Revision    string  `json:"revision,omitempty"`       // of its sources, if the build recorded it
	Command     string  `json:"command"`                  // for a shell, in a folder with the inputs
	Output      string  `json:"output,omitempty"`         // the flag that asked for this file; "" for the answer
	Machine     string  `json:"machine_sha256,omitempty"` // of the description, if there is one machine
	Inputs      []Input `json:"inputs,omitempty"`
}

// Input is a file that the command reads.
type Input struct {
	Name   string `json:"name"` // without its folder
	SHA256 string `json:"sha256"`
}

// Text returns the recipe as JSON on one line. The line contains no character that could end a comment in XML, HTML or
// VCD.
func (r Recipe) Text() string {
	text, err := json.Marshal(r) // escapes <, > and &
	if err != nil {
		panic(err) // cannot happen: all fields are strings
	}
	return strings.ReplaceAll(string(text), "$", `\u0024`)
}

// mostInput is larger than any input, except the checkpoint of a machine that is too large for most computers [chosen].
// Digesting a file of this size takes seconds.
const mostInput = 1 << 34

// DigestFile returns the SHA-256 of a file of at most 16 GiB.
func DigestFile(name string) (string, error) {
	f, err := input.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Size() > mostInput {
		err = fmt.Errorf("%s is too large for an input: expected at most %d GiB", name, mostInput>>30)
	}
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// DigestMachine returns the SHA-256 of a machine's description: its kind, and its knobs as in a machine file, one per
// line.
func DigestMachine(m *machinefile.Machine) string {
	h := sha256.New()
	fmt.Fprintf(h, "machine = %q\n", m.Kind.Name)
	for _, r := range m.Rows {
		fmt.Fprintf(h, "%s = %s\n", r.Key, r.TOML())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Mark precedes the text in every file format except JSON. A few bytes that belong to the format may be between them.
const Mark = "emsim-recipe"

// Line returns the text with its mark, for formats that have comments or text fields.
func Line(text string) string { return Mark + " " + text }

// InJSON adds the key recipe to an object, or to every object of a list.
func InJSON(answer []byte, text string) []byte {
	var rows []json.RawMessage
	switch end := len(answer) - 1; {
	case bytes.HasPrefix(answer, []byte("{")):
		comma := map[bool]string{false: ","}[end == 1]
		return append(answer[:end:end], comma+`"recipe":`+text+`}`...)
	case json.Unmarshal(answer, &rows) == nil && len(rows) > 0:
		var b bytes.Buffer
		for i, row := range rows {
			b.WriteByte("[,"[min(i, 1)])
			b.Write(InJSON(row, text))
		}
		return append(b.Bytes(), ']')
	}
	return answer
}

// InFile adds the text to an SVG or PNG picture or an HTML page, as determined by the name's ending, unless the file
// has a recipe. Viewers do not show the text.
func InFile(name string, file []byte, text string) []byte {
	at, add := 0, ""
	if bytes.Contains(file, []byte(Mark)) {
		return file
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".svg":
		at = bytes.Index(file, []byte("<svg"))
		at += bytes.IndexByte(file[max(at, 0):], '>') + 1
		add = `<metadata class="` + Mark + `">` + text + "</metadata>"
	case ".png":
		at = 8 + 25 // after the signature and the first chunk, which has the size
		body := "iTXt" + Mark + "\x00\x00\x00\x00\x00" + text
		size := binary.BigEndian.AppendUint32(nil, uint32(len(body)-4))
		add = string(binary.BigEndian.AppendUint32(append(size, body...), crc32.ChecksumIEEE([]byte(body))))
	default:
		at = max(0, bytes.Index(file, []byte("<title>")))
		add = `<script type="application/json" class="` + Mark + `">` + text + "</script>\n"
	}
	return bytes.Join([][]byte{file[:at], []byte(add), file[at:]}, nil)
}

// Sidecar returns the contents of a separate file with the terms of a table and the recipe, for formats that have no
// place for them. A CSV file thus stays readable without options.
func Sidecar(name string, terms ordered.Object, text string) []byte {
	table, _ := json.Marshal(append(ordered.Object{"table", filepath.Base(name)}, terms...)) // of strings
	var b bytes.Buffer
	_ = json.Indent(&b, InJSON(table, text), "", "  ") // the input is valid JSON
	return append(b.Bytes(), '\n')
}

// Find returns the recipe in a file of any format, both decoded and as text. The text is "" if the file has no recipe.
func Find(file []byte) (r Recipe, text string) {
	var x struct{ Recipe json.RawMessage }
	var rows []json.RawMessage
	if json.Unmarshal(file, &rows) == nil && len(rows) > 0 {
		file = rows[0]
	}
	if json.Unmarshal(file, &x) != nil {
		_, rest, _ := bytes.Cut(file, []byte(Mark))
		for i := 0; x.Recipe == nil && i < min(len(rest), 16); i++ { // the format's own bytes may contain a brace
			if rest[i] == '{' {
				_ = json.NewDecoder(bytes.NewReader(rest[i:])).Decode(&x.Recipe)
			}
		}
	}
	var b bytes.Buffer
	if json.Unmarshal(x.Recipe, &r) != nil || r.Command == "" || r.Fingerprint == "" {
		return Recipe{}, ""
	}
	_ = json.Compact(&b, x.Recipe) // already decoded, so valid
	return r, b.String()
}

// Quoted returns a word in a form that a shell reads as that word. It also quotes a leading =, which zsh expands.
func Quoted(word string) string {
	if word == "" || word[0] == '=' || strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("/._-+,:@%=", r) &&
			(r < '0' || r > 'z' || r > '9' && r < 'A' || r > 'Z' && r < 'a')
	}) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
