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

// LibraryFolder stands before the names of the library's files in messages and
// objects: no real folder has this name.
const LibraryFolder = "<emsim>/"

// include reads another file in place of the directive.
func (p *parser) include() {
	a := p.a
	at := p.peek()
	if at.kind != tokString {
		p.fail(at, `expected a file name between double quotes, found %s`, at.describe())
		return
	}
	p.next()
	if !p.expectEnd() {
		return
	}
	f, err := a.findFile(at.stringValue(), a.fileFrame())
	if err != nil {
		p.fail(at, "%v", err)
		return
	}
	for i, g := range a.frames {
		if g.call == nil && g.file == f.file {
			p.fail(at, "%s includes itself%s", f.file, lazy(func() string { return a.inclusionPath(a.frames[i+1:]) }))
			return
		}
	}
	if len(a.frames) >= maxFrames {
		p.fail(at, "files and macros are nested more than %d deep", maxFrames)
		return
	}
	text := a.included[f.file]
	if a.countText(at, len(text), "this file is too much for it") {
		f.lines, f.no, f.from, f.conds, f.depth = splitLines(text, maxLines), 1, &origin{at: at}, len(a.conds), a.topFrame().depth
		a.pushFrame(f)
	}
}

// fileFrame returns the file that is being read, or in which the macro is
// defined that is being read.
func (a *assembler) fileFrame() *frame {
	f := a.topFrame()
	for f.call != nil {
		f = f.call.macro.frame
	}
	return f
}

// findFile looks for a file: beside the one that includes it, in the folders of
// Options.Include, and in the library. The first file of that name counts,
// also if it cannot be read. Its text is in a.included afterwards.
func (a *assembler) findFile(name string, by *frame) (*frame, error) {
	places := []*frame{{file: name}}
	if !path.IsAbs(name) {
		places = a.places(name, by)
	}
	for _, f := range places {
		if _, ok := a.included[f.file]; ok {
			return f, nil
		}
		text, err := a.readFile(f)
		switch {
		case err == nil:
			a.included[f.file] = string(text)
			return f, nil
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("cannot read the included file: %w", err)
		}
	}
	if path.IsAbs(name) {
		return nil, fmt.Errorf("there is no file %s", name)
	}
	return nil, fmt.Errorf("cannot find the file %q; searched: %s", brief(name), a.searched(name, by))
}

// places are the files that a relative name may mean, in the order of the
// search.
func (a *assembler) places(name string, by *frame) []*frame {
	var list []*frame
	if by.inner == "" {
		list = append(list, &frame{file: path.Join(path.Dir(by.file), name)})
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

// searched names the places in which a file was looked for, and the file of
// the library that may have been meant.
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

// libraryHint is the end of a message about a name: the file of the library
// that may have been meant.
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

// inclusionPath names the files between a file and itself.
func (a *assembler) inclusionPath(frames []*frame) string {
	var b strings.Builder
	for _, g := range frames {
		if g.call == nil {
			b.WriteString(" by way of " + g.file)
		}
	}
	return b.String()
}
