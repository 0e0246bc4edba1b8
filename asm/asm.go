package asm

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"emsim/internal/base/input"
	"emsim/internal/base/lists"
	"emsim/internal/base/srcerr"
)

// Options say how to read the program's files, and set the parameters of the run.
type Options struct {
	// Open reads the main file and the included ones, whose paths are relative to the file that includes them, with /
	// between the parts. If Open is nil, regular files of the file system are read.
	Open func(path string) ([]byte, error)

	// Files, if not nil, replaces the file system if Open or OpenValue is nil. With the result of os.OpenRoot, a
	// program from an untrusted source can read only files in its folder. Names then follow fs.FS, without "..".
	Files fs.FS

	// Include lists the folders in which an included file is searched for, in order, if it is not next to the file
	// that includes it.
	Include []string

	// Library holds files that every program can include by their names in it.
	// It is searched last, and may be nil.
	Library fs.FS

	// Made is the program in another language from which the text was compiled. The assembler then reports a single
	// error, at a place in that program.
	Made *Made

	// Params are values for parameters that the program declares. An unknown name or value gives a *Usage. If the
	// program allows it, a value may be a file, NAME.s or NAME.go.
	Params map[string]string

	// Check looks for mistakes in the words of a program without other errors, and reports each with its address. It
	// may be nil.
	Check func(o *Object, report func(addr uint32, message string))

	// OpenValue reads a file that is a parameter's value, and files that this one includes. If it is nil, regular
	// files are read.
	OpenValue func(path string) ([]byte, error)
}

// reader returns the default function for Open and OpenValue.
func (opt *Options) reader(want input.Want) func(name string) ([]byte, error) {
	if opt.Files == nil {
		return want.Read
	}
	return func(name string) ([]byte, error) { return want.ReadIn(opt.Files, path.Clean(name)) }
}

// Made is a program in another language, which a compiler has translated to assembly text.
type Made struct {
	File string
	Text []byte
}

// Assemble makes an object from an assembly program. The error is Errors, with the
// first errors of the program, or a *Usage.
// The listing is nil only if the file cannot be read.
func Assemble(file string, opt Options) (*Object, *Listing, error) {
	open := opt.Open
	if open == nil {
		open = opt.reader(programText)
	}
	text, err := open(filepath.ToSlash(file))
	if err != nil {
		return nil, nil, unread(err)
	}
	return assembleText(file, text, opt)
}

// assembleText works like Assemble for a main file that has already been read.
func assembleText(file string, text []byte, opt Options) (*Object, *Listing, error) {
	if opt.Open == nil {
		opt.Open = opt.reader(programText)
	}
	if opt.OpenValue == nil {
		opt.OpenValue = opt.reader(programText)
	}
	if err := programText.Check(file, text); err != nil {
		return nil, nil, unread(err)
	}
	a := &assembler{
		opt: opt, symbols: map[string]*symbol{}, macros: map[string]*macro{}, files: map[string]uint32{},
		badWords: map[uint32]bool{}, chosen: map[string]bool{}, argNames: map[string]token{},
		included:   map[string]string{},
		valueFiles: map[string]string{},
	}
	if opt.Made == nil { // otherwise the compiler made the text
		a.read = append(a.read, path.Clean(filepath.ToSlash(file)))
	}
	a.pushFrame(&frame{
		file: path.Clean(filepath.ToSlash(file)), lines: splitLines(string(text), a.bound(maxLines)),
		no: 1,
	})
	a.text = len(text)
	a.pass1()
	if !a.stop || opt.Made == nil { // for compiled text one error is enough; undefined names are not separate errors
		a.pass2()
	}
	o := a.object()
	a.check(o)
	if opt.Check != nil && a.found == 0 {
		opt.Check(o, a.reportAt)
	}
	l := a.listing(o)
	switch {
	case a.found > 0 && opt.Made != nil:
		return nil, l, a.reportMade(path.Clean(filepath.ToSlash(file)))
	case a.found > 0:
		return nil, l, a.report()
	}
	if err := a.unknownParam(); err != nil {
		return nil, l, err
	}
	return o, l, nil
}

// assembler is the state of one assembly.
type assembler struct {
	opt Options

	// Input: a stack of files and macros, and the lines read so far.
	frames  []*frame
	lines   []*srcLine
	conds   []*cond
	defines *macro // macro whose body is being read, or nil
	macros  map[string]*macro
	unique  int // number of macro calls so far, for \@
	text    int // bytes read so far
	stop    bool
	toks    []token // tokens of the current line

	included   map[string]string // texts of files, by name
	read       []string          // names of the files outside the library, in the order of reading
	valueFiles map[string]string // the values of parameters that are files, by parameter

	// The program's definitions.
	stmts     []*stmt
	symbols   map[string]*symbol
	names     []*symbol // in order of definition
	templates []*template
	params    []Param
	args      []*Arg
	argNames  map[string]token
	init      *entryDecl
	start     *entryDecl
	result    *resultDecl
	perPE     *stmt // the .perpe, or nil
	followed  bool  // the first thing with an address after .perpe has been reported
	unchecked bool

	// Position of pass 1.
	addr  uint32
	outer string    // last ordinary label
	tmpl  *template // open template, or nil
	from  *sourceAt // of the last .line, or nil

	// Input of the checks at the end.
	entries  []entryRef
	settling int // constants whose evaluation is in progress
	tokens   int // read so far

	// Diagnosis.
	cur      *stmt           // current statement
	problems []problem       // the first problems, in the order of the report
	found    int             // number of problems found
	badWords map[uint32]bool // addresses of words that have an error
	chosen   map[string]bool // parameters that the program declares
	paramErr error
	files    map[string]uint32
}

// stmt is one statement: a line without its labels.
type stmt struct {
	line  *srcLine
	head  token     // mnemonic or directive
	outer string    // ordinary label before it
	from  *sourceAt // source line in another language from which a compiler made it, or nil
	addr  uint32
	size  uint32      // words that it produces or reserves
	kind  SectionKind // of these words
	emit  func(s *stmt)
	words []uint64 // set by emit; size words, or none for Space
	bad   bool
}

func (s *stmt) scope() scope { return scope{outer: s.outer, here: s.addr} }

// pass1 reads all lines, expands macros, finds every address and defines
// every name.
func (a *assembler) pass1() {
	for !a.stop {
		line := a.nextLine()
		if line == nil {
			break
		}
		a.cur = &stmt{line: line}
		a.readLine(line)
	}
	a.unclosed()
}

// pass2 evaluates the expressions that need names, and produces the words.
func (a *assembler) pass2() {
	for _, s := range a.stmts {
		if s.emit == nil {
			continue
		}
		a.cur = s
		s.emit(s)
		if s.bad {
			for i := range s.size {
				a.badWords[s.addr+i] = true
			}
		}
	}
}

// reserve gives the statement n words of a kind at the current address.
func (a *assembler) reserve(s *stmt, kind SectionKind, n uint32) {
	s.kind, s.size = kind, 0
	if n > 0 {
		a.behindPerPE(s.head)
	}
	if n > MemoryWords-a.addr {
		a.errorf(s.head, "the program is too large: %d words at address %d reach beyond the %d words of a PE's memory",
			n, a.addr, MemoryWords)
		a.stop = true
		return
	}
	s.size = n
	a.addr += n
}

// problem is an error in the report, with the line that was processed when it was found. The report is in the order
// of lines.
type problem struct {
	seq  int
	col  int32
	from *sourceAt
	err  *Error
}

// reportPlace returns the index in the report of an error at a token. An error at index maxErrors is only counted.
func (a *assembler) reportPlace(at token) int {
	seq := a.cur.line.seq
	i := len(a.problems)
	for i > 0 && (a.problems[i-1].seq > seq || a.problems[i-1].seq == seq && a.problems[i-1].col > at.col) {
		i--
	}
	return i
}

// errorf reports an error at a token.
func (a *assembler) errorf(at token, format string, args ...any) {
	a.cur.bad = true
	a.found++
	i := a.reportPlace(at)
	if i == maxErrors {
		return
	}
	line := at.line
	if line == nil {
		line = a.cur.line
	}
	end := max(at.end, at.col)
	e := &Error{
		File: line.file, Line: line.no, Column: at.column(),
		Message: srcerr.Brief(fmt.Sprintf(format, args...)),
		Source:  line.text,
		Width:   max(1, utf8.RuneCountInString(line.text[at.col:end])),
		Chain:   a.chain(at, line),
	}
	a.problems = slices.Insert(a.problems, i, problem{a.cur.line.seq, at.col, a.cur.from, e})
	a.problems = a.problems[:min(len(a.problems), maxErrors)]
}

// reportAt reports an error in the word at an address.
func (a *assembler) reportAt(addr uint32, message string) {
	for _, s := range a.stmts {
		if s.addr <= addr && addr < s.addr+s.size {
			a.cur = s
			a.errorf(s.head, "%s", message)
			return
		}
	}
}

// column returns the token's column in characters, from 1.
func (t token) column() int {
	if t.line == nil {
		return 1
	}
	return utf8.RuneCountInString(t.line.text[:t.col]) + 1
}

// position returns the token's place, for messages about other places.
func (t token) position() string { return fmt.Sprintf("%s:%d:%d", t.line.file, t.line.no, t.column()) }

// report returns the errors in the order of the program's lines.
func (a *assembler) report() Errors {
	return Errors{More: a.found - len(a.problems), List: lists.Of(a.problems, func(p problem) *Error { return p.err })}
}

// object returns the object made of all statements' words.
func (a *assembler) object() *Object {
	o := &Object{Params: a.params}
	var from *sourceAt // from of the previous statement
	for _, s := range a.stmts {
		if s.size == 0 {
			continue
		}
		if s.kind != Space && len(s.words) != int(s.size) { // word 0 of a template, or after an error
			s.words = make([]uint64, s.size)
		}
		o.addWords(s.kind, s.addr, s.size, s.words)
		l := Line{Addr: s.addr, Words: s.size, Line: uint32(s.line.no)}
		if l.File = a.fileIndex(o, cmp.Or(s.from, &sourceAt{file: s.line.file}).file); s.from != nil {
			l.Line, l.Detail = uint32(s.from.line), s.from.detail
			if n := len(o.Lines); n > 0 && from == s.from && o.Lines[n-1].Addr+o.Lines[n-1].Words == s.addr {
				o.Lines[n-1].Words += s.size
				continue
			}
		}
		from = s.from
		o.Lines = append(o.Lines, l)
	}
	for _, file := range a.read { // also files without words
		a.fileIndex(o, file)
	}
	for _, s := range a.names {
		if s.param || s.state != symKnown {
			continue
		}
		x := Symbol{Name: s.name, Value: s.value, Kind: s.kind}
		if s.kind == Template {
			x.Size, x.Reach = s.tmpl.end-s.tmpl.base, s.tmpl.reach
		}
		o.Symbols = append(o.Symbols, x)
	}
	o.finishSymbols()
	for _, d := range a.args {
		o.Args = append(o.Args, *d)
	}
	o.Init, o.Start = a.init.address(), a.start.address()
	if a.result != nil {
		o.Result = a.result.kind
	}
	if a.perPE != nil {
		o.PerPE = &a.perPE.addr
	}
	return o
}

func (a *assembler) fileIndex(o *Object, file string) uint32 {
	i, ok := a.files[file]
	if !ok {
		i = uint32(len(o.Files))
		a.files[file] = i
		o.Files = append(o.Files, file)
	}
	return i
}
