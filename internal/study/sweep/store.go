package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"emsim/internal/base/input"
	"emsim/internal/base/simerr"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/recipe"
)

// Version identifies the emsim that produced a result.
type Version struct {
	Executable string `json:"executable_sha256"` // equal for results of the same version
	Revision   string `json:"revision"`          // of the sources, empty if the build did not record it
	Go         string `json:"go"`
	System     string `json:"system"` // operating system and processor
}

// Result is the result of a point, which is stored in one file.
type Result struct {
	Version    Version              `json:"version"`
	Definition json.RawMessage      `json:"definition"`
	Outcome    string               `json:"outcome"`
	Message    string               `json:"message,omitempty"` // if the outcome is not ok
	Answer     json.RawMessage      `json:"answer"`            // --json output up to a failure, or null; see lighten
	Each       map[string][]float64 `json:"each,omitempty"`    // with Point.Each: the numbers of every run, by column
	Digest     string               `json:"sha256"`            // in the file: of all other fields

	values map[string]json.RawMessage // values of Answer, by column; see lighten
}

// Store is the directory with the results of a sweep, one file per point. Files are written under other names and
// renamed. So every file is a complete result, even if a sweep is killed or several share the directory.
type Store struct {
	Dir     string
	Version Version
}

// pointFile returns the name of a point's result file.
func (s *Store) pointFile(p *Point) string { return filepath.Join(s.Dir, p.ID+".json") }

// Open creates the directory if necessary, and returns an error if files cannot be written in it.
func (s *Store) Open() error {
	err := os.MkdirAll(s.Dir, 0o777)
	if err == nil {
		err = wholefile.Probe(filepath.Join(s.Dir, "result"))
	}
	if err != nil {
		return fmt.Errorf("the results cannot be kept: %w", err)
	}
	return nil
}

// resultFile describes the file of a result.
var resultFile = input.Want{What: "a result", Most: 1 << 26, Why: "and one that emsim wrote has a few KiB"}

// loadResult returns the result of a point. If there is no valid result, it returns nil and the reason, or "" if there
// is no file.
func (s *Store) loadResult(p *Point) (*Result, string, error) {
	text, err := resultFile.Read(s.pointFile(p))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("a result cannot be read: %w", err)
	}
	r := &Result{}
	var definition bytes.Buffer
	err = json.NewDecoder(bytes.NewReader(text)).Decode(r)
	none := len(r.Answer) == 0 || string(r.Answer) == "null"
	switch {
	case err != nil || json.Compact(&definition, r.Definition) != nil || r.Outcome == "" || none && r.Outcome == OK:
		return nil, "damaged", nil
	case !bytes.Equal(definition.Bytes(), p.definition):
		return nil, "from another point", nil
	case r.Version.Executable != s.Version.Executable:
		return nil, "from another emsim" + r.Version.revisionText(), nil
	case r.digest() != r.Digest || !none && !r.lighten(p):
		return nil, "damaged", nil
	}
	return r, "", nil
}

// digest returns the digest of a result's compact JSON without the digest itself. It protects against damage, not
// against forgery.
func (r *Result) digest() string {
	plain := *r
	plain.Digest = ""
	text, _ := json.Marshal(&plain) // cannot fail: the values came from JSON or are written as JSON
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// revisionText returns a note with the revision, or "" if it is not known.
func (v Version) revisionText() string {
	if v.Revision == "" {
		return ""
	}
	return " (revision " + v.Revision + ")"
}

// saveResult writes the result of a point. It returns a *WrongPoint or a file system error.
func (s *Store) saveResult(p *Point, r *Result) error {
	r.Version = s.Version
	r.Digest = r.digest()
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return &WrongPoint{p, err}
	}
	return wholefile.WriteFile(s.pointFile(p), append(text, '\n'), 0o666)
}

// executableFile describes the file of the executable.
var executableFile = input.Want{What: "an executable", Most: 1 << 30, Why: "emsim's has a few dozen MiB"}

// KeepExecutable opens the store and copies the executable into it, for parts that begin later. 'go run' deletes its
// executable, and a rebuilt one is another version, whose results would replace the present ones. KeepExecutable
// returns the path of the copy.
func (s *Store) KeepExecutable(executable string) (string, error) {
	if err := s.Open(); err != nil {
		return "", err
	}
	if s.Version.Executable == "" {
		return "", errors.New("shares need to know which emsim runs them, and the executable of this " +
			"process cannot be read")
	}
	kept := "emsim-" + s.Version.Executable[:min(12, len(s.Version.Executable))]
	there, err := fs.Glob(os.DirFS(s.Dir), "emsim-*")
	for _, name := range there {
		if name != kept {
			return "", simerr.Usagef("the store %s is for another emsim: use %s, or choose another directory with "+
				"-o. To run its points again with this emsim, remove that copy when no share runs any more", s.Dir,
				filepath.Join(s.Dir, name))
		}
	}
	kept = filepath.Join(s.Dir, kept)
	if sum, err := recipe.DigestFile(kept); err == nil && sum == s.Version.Executable {
		return kept, nil
	}
	text, err2 := executableFile.Read(executable)
	if err = errors.Join(err, err2); err == nil {
		err = wholefile.WriteFile(kept, text, 0o777)
	}
	if err != nil {
		return "", fmt.Errorf("the executable cannot be kept in the store: %w", err)
	}
	return kept, nil
}
