package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"emsim/internal/base/input"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/base/wholefile"
)

// planName is the file that says what a store is for, once shares of a plan
// run in it.
const planName = "plan.json"

// frozenFormat changes whenever the meaning of the file does.
const frozenFormat = 2

// frozen is the plan of a store. It does not change: parts that run on many
// computers must be parts of the same whole.
type frozen struct {
	Format     int      `json:"format"`
	Sweep      string   `json:"sweep"` // the file's name
	Text       string   `json:"text"`  // and what was in it
	Plan       string   `json:"plan_sha256"`
	Points     []string `json:"points"` // ids
	Version    Version  `json:"version"`
	Executable string   `json:"executable"` // its copy in the store
}

var frozenFile = input.Want{What: "the plan of a store", Most: 1 << 27, Why: "a million points take less"}

// Hash identifies the plan: the text of its file, and everything that the file
// names.
func (plan *Plan) Hash() string {
	sum := sha256.New()
	fmt.Fprintln(sum, plan.SHA256)
	for i := range plan.Points {
		fmt.Fprintln(sum, plan.Points[i].ID, plan.Points[i].Variant)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Freeze makes the store that of a plan and of this emsim, and keeps a copy of
// the executable there, or checks that it is. It returns the copy's path.
func (s *Store) Freeze(plan *Plan, executable string) (string, error) {
	if s.Version.Executable == "" {
		return "", errors.New("shares need to know which emsim runs them, and the executable of this process cannot be read")
	}
	kept := filepath.Join(s.Dir, "emsim-"+s.Version.Executable[:min(12, len(s.Version.Executable))])
	text, err := json.MarshalIndent(frozen{
		frozenFormat, filepath.Base(plan.File), string(plan.Text), plan.Hash(), plan.ids(), s.Version, filepath.Base(kept),
	}, "", " ")
	if err != nil {
		return "", err
	}
	if err := wholefile.WriteOnce(filepath.Join(s.Dir, planName), Seal(text), 0o666); err != nil {
		return "", fmt.Errorf("the plan cannot be kept: %w", err)
	}
	if err := s.Check(plan); err != nil {
		return "", err
	}
	return kept, s.keep(executable, kept)
}

// ids lists the points' ids.
func (plan *Plan) ids() []string {
	var list []string
	for i := range plan.Points {
		list = append(list, plan.Points[i].ID)
	}
	return list
}

// keep copies the executable into the store. 'go run' deletes its own, and a
// rebuilt one is another emsim.
func (s *Store) keep(executable, kept string) error {
	if sum, err := SHA256File(kept); err == nil && sum == s.Version.Executable {
		if info, err := os.Stat(kept); err == nil && info.Mode()&0o100 == 0 {
			_ = os.Chmod(kept, info.Mode()|0o111) // somebody copied the store without modes
		}
		return nil
	}
	text, err := os.ReadFile(executable)
	_ = os.Remove(kept) // its mode may be wrong, too
	if err == nil {
		err = wholefile.WriteFile(kept, text, 0o777)
	}
	if err != nil {
		return fmt.Errorf("the executable cannot be kept in the store: %w", err)
	}
	return nil
}

// SHA256File is the hash of a file.
func SHA256File(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Check refuses a plan or an emsim that are not those of the store. A store in
// which no share has run takes any.
func (s *Store) Check(plan *Plan) error {
	text, err := frozenFile.Read(filepath.Join(s.Dir, planName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the plan of the store %s cannot be read: %w", s.Dir, err)
	}
	var f frozen
	if err := json.Unmarshal(text, &f); err != nil || !Sealed(text) || f.Format != frozenFormat {
		why := "is damaged: its checksum is not that of its text"
		if err == nil && 0 < f.Format && f.Format < frozenFormat { // older ones have no checksum
			why = fmt.Sprintf("has format %d, and this emsim writes %d", f.Format, frozenFormat)
		}
		return simerr.Usagef("%s %s. Remove it when no share runs any more; the results stay", filepath.Join(s.Dir, planName), why)
	}
	if f.Plan == plan.Hash() && f.Version.Executable == s.Version.Executable {
		return nil
	}
	return &simerr.Usage{Err: &Refused{Dir: s.Dir, Differences: f.differences(plan, s.Version)}}
}

// Refused is a plan or an emsim that does not belong to a store.
type Refused struct {
	Dir         string
	Differences []string
}

func (e *Refused) Error() string {
	return fmt.Sprintf("the store %s is for another sweep:\n  %s\nchoose another directory with -o. To give up the store's plan, remove %s when no share runs any more; results that fit stay",
		e.Dir, strings.Join(e.Differences, "\n  "), filepath.Join(e.Dir, planName))
}

// differences says in words what is not as it was when the plan was frozen.
func (f *frozen) differences(plan *Plan, v Version) []string {
	var list []string
	if f.Version.Executable != v.Executable {
		list = append(list, fmt.Sprintf("its results are of emsim %s; this one is %s. Use %s in the store", f.Version.short(), v.short(), f.Executable))
	}
	if f.Plan == plan.Hash() {
		return list
	}
	if old := []byte(f.Text); !bytes.Equal(old, plan.Text) {
		list = append(list, changedLine(f.Sweep, old, filepath.Base(plan.File), plan.Text))
	} else {
		list = append(list, fmt.Sprintf("%s is the same, but a program or machine that it names has changed", f.Sweep))
	}
	now := plan.ids()
	if gone, added := lacking(f.Points, now), lacking(now, f.Points); gone+added > 0 {
		list = append(list, fmt.Sprintf("of its %s %d are gone, and %d are new", plural.Of(len(f.Points), "point"), gone, added))
	}
	return list
}

// lacking counts the members of one list that another one lacks.
func lacking(of, in []string) int {
	there := map[string]bool{}
	for _, id := range in {
		there[id] = true
	}
	n := 0
	for _, id := range of {
		if !there[id] {
			n++
		}
	}
	return n
}

// changedLine shows the first line in which two texts differ.
func changedLine(oldName string, old []byte, name string, text []byte) string {
	a, b := strings.Split(string(old), "\n"), strings.Split(string(text), "\n")
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	line := func(list []string) string {
		if i >= len(list) {
			return "(the end of the file)"
		}
		return list[i]
	}
	if name != oldName {
		name = oldName + ", now " + name + ","
	}
	return fmt.Sprintf("line %d of %s has changed:\n    - %s\n    + %s", i+1, name, line(a), line(b))
}

// short names a version in a line.
func (v Version) short() string {
	text := v.Executable[:min(12, len(v.Executable))]
	for _, more := range []string{v.Revision, v.Go, v.System} {
		if more != "" {
			text += ", " + more
		}
	}
	return text
}
