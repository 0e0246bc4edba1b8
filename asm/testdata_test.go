package asm

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/isa"
)

// Trailing comments of programs under testdata give the expected result:
//
//	;= 00005: 0121800001 0011100000    the address, and the words of the line and of the macros that it calls
//	; ERROR "regexp" ...               the errors at the line, in any order
//
// The words of a line without ;= are not checked.
var (
	wantWords  = regexp.MustCompile(`;= ([0-9a-f]{5}):((?: [0-9a-f]{10,16})*)$`)
	wantErrors = regexp.MustCompile(`; ERROR ((?:"(?:[^"\\]|\\.)*" ?)+)$`)
	quoted     = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
)

func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.s")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			o, l, err := Assemble(file, Options{})
			require.NotNil(t, l)
			var errs Errors
			if err != nil {
				require.ErrorAs(t, err, &errs)
				require.Zero(t, errs.More, "too many errors in one file")
				require.Nil(t, o)
			} else {
				require.NoError(t, o.Validate())
				back, err := Unmarshal(o.Marshal())
				require.NoError(t, err)
				require.Equal(t, o, back)
			}
			compareErrors(t, l, errs)
			require.Equal(t, strings.HasPrefix(filepath.Base(file), "bad"), err != nil,
				"files called bad* have errors, others have none")
			compareWords(t, l)
		})
	}
}

// compareWords checks the ;= comments.
func compareWords(t *testing.T, l *Listing) {
	words := map[*srcLine]string{}
	first := map[*srcLine]uint32{}
	for _, line := range l.lines {
		if line.stmt == nil {
			continue
		}
		outer := line
		for outer.from != nil && outer.from.call != nil {
			outer = outer.from.at.line
		}
		if _, ok := first[outer]; !ok {
			first[outer] = line.stmt.addr
		}
		for i := range line.stmt.words {
			words[outer] += " " + line.stmt.wordText(i)
		}
	}
	for _, line := range l.lines {
		if m := wantWords.FindStringSubmatch(line.text); m != nil && line.depth == 0 {
			require.Equal(t, m[1]+":"+m[2], fmt.Sprintf("%05x:%s", first[line], words[line]), "%s:%d: %s",
				line.file, line.no, line.text)
		}
	}
}

// compareErrors checks that the ERROR comments equal the errors.
func compareErrors(t *testing.T, l *Listing, errs Errors) {
	type place struct {
		file string
		line int
	}
	got := map[place][]string{}
	for _, e := range errs.List {
		p := place{e.File, e.Line}
		got[p] = append(got[p], e.Message)
	}
	done := map[place]bool{}
	for _, line := range l.lines {
		m := wantErrors.FindStringSubmatch(line.text)
		p := place{line.file, line.no}
		if m == nil || done[p] {
			continue
		}
		done[p] = true
		for _, q := range quoted.FindAllString(m[1], -1) {
			want, err := strconv.Unquote(q)
			require.NoError(t, err, "%s:%d: %s", line.file, line.no, q)
			found := false
			for i, msg := range got[p] {
				if found = regexp.MustCompile(want).MatchString(msg); found {
					got[p] = append(got[p][:i], got[p][i+1:]...)
					break
				}
			}
			if !found {
				t.Errorf("%s:%d: no error %s; errors there: %q", line.file, line.no, q, got[p])
			}
		}
	}
	for p, list := range got {
		for _, msg := range list {
			t.Errorf("%s:%d: unexpected error: %s", p.file, p.line, msg)
		}
	}
}

// The program of instructions contains every list of operands in every form, and every alias.
func TestEveryFormIsTested(t *testing.T) {
	text, err := os.ReadFile("testdata/instructions.s")
	require.NoError(t, err)
	tested := map[string]bool{}
	for line := range strings.SplitSeq(string(text), "\n") {
		if wantWords.MatchString(line) {
			word := strings.TrimSuffix(strings.Fields(line)[0], "!")
			name, suffix, _ := strings.Cut(word, ".")
			if op, ok := isa.Lookup(name); ok {
				word = isa.Table[op].Operands + suffix
			}
			tested[word] = true
		}
	}
	for op := range isa.Table {
		for f := range isa.FormsOf(isa.Op(op)) {
			row := &isa.Table[op]
			require.True(t, tested[row.Operands+strings.TrimPrefix(isa.Suffixes[f], ".")],
				"asm/testdata/instructions.s has nothing like %s%s", row.Name, isa.Suffixes[f])
		}
	}
	for i := range isa.Aliases {
		require.True(t, tested[isa.Aliases[i].Name], isa.Aliases[i].Name)
	}
}

// A program with errors gives the recorded report and listing.
func TestReportAndListing(t *testing.T) {
	_, l, err := Assemble("testdata/report/report.s", Options{})
	require.Error(t, err)
	golden.Check(t, "report/report.txt", []byte(err.Error()+"\n"))
	golden.Check(t, "report/report.lst", []byte(l.String()))
	_, _, err = Assemble("testdata/report/nested.s", Options{})
	require.Error(t, err)
	golden.Check(t, "report/nested.txt", []byte(err.Error()+"\n"))
	o, l, err := Assemble("testdata/templates.s", Options{})
	require.NoError(t, err)
	golden.Check(t, "templates.lst", []byte(l.String()))
	golden.Check(t, "templates.dis", []byte(Disassemble(o)))
	o, l, err = Assemble("testdata/perpe.s", Options{})
	require.NoError(t, err)
	golden.Check(t, "perpe.lst", []byte(l.String()))
	golden.Check(t, "perpe.dis", []byte(Disassemble(o)))
}

// Open can read programs from anywhere.
func TestOpen(t *testing.T) {
	files := map[string]string{"a/main.s": `.include "lib/x.s"`, "a/lib/x.s": `.include "../y.s"`, "a/y.s": ".word 7"}
	o, _, err := Assemble("a/main.s", Options{Open: func(p string) ([]byte, error) {
		text, ok := files[path.Clean(p)]
		if !ok {
			return nil, os.ErrNotExist
		}
		return []byte(text), nil
	}})
	require.NoError(t, err)
	require.Equal(t, []uint64{7}, o.Sections[0].Words)
	file, line, ok := o.LineAt(0)
	require.True(t, ok)
	require.Equal(t, "a/y.s", file)
	require.Equal(t, 1, line)

	_, l, err := Assemble("nosuch.s", Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorAs(t, err, new(*Usage))
	require.Nil(t, l)
}
