package asm

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
)

// LibraryFolder is the prefix of the library's file names in messages and objects. No real folder has this name.
const LibraryFolder = "<emsim>/"

// include reads another file in place of the directive. The operand is the file's name in quotes, or the NAME of a
// parameter. A parameter stands for the file NAME/VALUE.s, or for its value if that is itself a file.
func (p *parser) include() {
	a := p.a
	at := p.next()
	param, known := lists.Find(a.params,
		func(x Param) bool { return at.kind == tokWord && x.Name == at.text && len(x.Values) > 0 })
	if at.kind != tokString && !known {
		p.fail(at, `expected a file name between double quotes, found %s`, at.describe())
		return
	}
	if !p.expectEnd() {
		return
	}
	var f *frame
	var err error
	switch file := a.valueFiles[param.Name]; {
	case !known:
		f, err = a.findFile(at.stringValue(), a.fileFrame())
	case file != "":
		f, err = a.readFirst(&frame{file: file, given: true})
	default:
		f, err = a.findFile(param.Name+"/"+param.Chosen()+".s", a.fileFrame())
	}
	if err != nil {
		p.fail(at, "%v", err)
		return
	}
	for i, g := range a.frames {
		if g.call == nil && g.key() == f.key() {
			p.fail(at, "%s includes itself%s", f.file, lazy(func() string { return a.inclusionPath(a.frames[i+1:]) }))
			return
		}
	}
	if len(a.frames) >= maxFrames {
		p.fail(at, "files and macros are nested more than %d deep", maxFrames)
		return
	}
	text := a.included[f.key()]
	if a.countText(at, len(text), "this file makes it too long") {
		f.lines, f.no, f.from, f.conds, f.depth = splitLines(text, maxLines), 1, &origin{at: at}, len(a.conds),
			a.topFrame().depth
		a.pushFrame(f)
	}
}

// fileFrame returns the file that is being read, or the file that defines the macro that is being read.
func (a *assembler) fileFrame() *frame {
	f := a.topFrame()
	for f.call != nil {
		f = f.call.macro.frame
	}
	return f
}

// findFile finds and reads the file of an include. A relative name is looked for next to the including file, then in
// the folders of Options.Include, then in the library. The first file that exists is taken; it is an error if that one
// cannot be read. The text is then in a.included.
func (a *assembler) findFile(name string, by *frame) (*frame, error) {
	if path.IsAbs(name) {
		return a.readFirst(&frame{file: name, given: by.given})
	}
	f, err := a.readFirst(a.candidates(name, by)...)
	if f == nil && err == nil {
		err = fmt.Errorf("cannot find the file %q; searched: %s", brief(name), a.searched(name, by))
	}
	return f, err
}

// readFirst reads the first of some files that exists. If only one file is given, it must exist; otherwise the
// returned frame may be nil.
func (a *assembler) readFirst(places ...*frame) (*frame, error) {
	for _, f := range places {
		if _, ok := a.included[f.key()]; ok {
			return f, nil
		}
		text, err := a.readFile(f)
		switch {
		case err == nil:
			a.included[f.key()] = string(text)
			if f.inner == "" {
				a.read = append(a.read, f.file)
			}
			return f, nil
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("cannot read the included file: %w", err)
		}
	}
	if len(places) > 1 {
		return nil, nil
	}
	return nil, fmt.Errorf("there is no file %s", places[0].file)
}

// key returns a key that differs between files of the same name in different places.
func (f *frame) key() string { return fmt.Sprint(f.given, f.file) }

// candidates returns the files that a relative name may refer to, in the order of the search.
func (a *assembler) candidates(name string, by *frame) []*frame {
	var list []*frame
	if by.inner == "" {
		list = append(list, &frame{file: path.Join(path.Dir(by.file), name), given: by.given})
	} else {
		list = append(list, inLibrary(path.Join(path.Dir(by.inner), name)))
	}
	for _, dir := range a.opt.Include {
		list = append(list, &frame{file: path.Join(filepath.ToSlash(dir), name)})
	}
	return append(list, inLibrary(path.Clean(name)))
}

func inLibrary(name string) *frame { return &frame{file: LibraryFolder + name, inner: name} }

// readFile reads a file and checks that it is a program's text.
func (a *assembler) readFile(f *frame) ([]byte, error) {
	open, name := a.opt.Open, f.file
	if f.given {
		open = a.opt.OpenValue
	}
	if f.inner != "" {
		if a.opt.Library == nil || !fs.ValidPath(f.inner) {
			return nil, fs.ErrNotExist
		}
		open, name = func(name string) ([]byte, error) { return fs.ReadFile(a.opt.Library, name) }, f.inner
	}
	text, err := open(name)
	if err == nil {
		err = programText.Check(f.file, text)
	}
	return text, err
}

// searched lists the places in which a file was searched for, and the file of the library that may have been meant.
func (a *assembler) searched(name string, by *frame) string {
	list := []string{"the folder of " + by.file}
	list = append(list, lists.Of(a.opt.Include, func(dir string) string { return dir + " (-I)" })...)
	hint := ""
	if a.opt.Library != nil {
		list = append(list, "the library of emsim")
		hint = a.libraryHint(name)
	}
	if hint == "" && len(a.opt.Include) == 0 {
		hint = "; -I DIR names another folder"
	}
	return strings.Join(list, ", ") + hint
}

// libraryHint returns the end of a message about a file name: the file of the library that may have been meant.
func (a *assembler) libraryHint(name string) string {
	names, err := fs.Glob(a.opt.Library, "*/*.s")
	if err != nil {
		return ""
	}
	for _, n := range names {
		if path.Base(n) == path.Base(name) {
			return fmt.Sprintf("; did you mean %q?", n)
		}
	}
	return suggest.DidYouMean(name, names)
}

// inclusionPath lists the files on the path from a file to itself.
func (a *assembler) inclusionPath(frames []*frame) string {
	var b strings.Builder
	for _, g := range frames {
		if g.call == nil {
			b.WriteString(" by way of " + g.file)
		}
	}
	return b.String()
}
