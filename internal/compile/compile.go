package compile

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"emsim/asm"
	"emsim/internal/compile/ir"
)

// Blocks says how long strongly connected blocks are.
type Blocks string

// The lengths of blocks.
const (
	Largest Blocks = "largest" // a block ends only where it waits for a value
	Medium  Blocks = "medium"  // also after statements and before iterations, calls and returns, except in empty blocks
	Finest  Blocks = "finest"  // also there if the block is empty
)

// Guards says which side tests the conditions that end a recursion.
type Guards string

// The sides.
const (
	Caller Guards = "caller" // the caller tests them, so a call that ends at once needs no instance
	Callee Guards = "callee" // an instance tests them, as in the paper
)

// Options selects one of the translations of a program.
type Options struct {
	Blocks    Blocks    // default Largest
	Guards    Guards    // default Caller
	Placement Placement // default Given; only recorded in the text, because the caller of Compile has already chosen
}

// Compile translates a Go program into assembly text. name is the file's name in messages. An error in the program has
// the type asm.Errors.
func Compile(name string, src []byte, opt Options) (string, error) {
	_, text, err := fitted(name, src, opt)
	return text, err
}

// fitted translates a program. It repeats this with fewer splits as long as that helps a function to fit its operand
// segment.
func fitted(name string, src []byte, opt Options) (c *compiler, text string, err error) {
	splits := map[string]int{}
	for {
		c, err = lowered(name, src, opt, splits)
		if err == nil && !c.retranslate {
			text, err = c.emitProgram()
		}
		if err != nil || !c.retranslate {
			return c, text, err
		}
	}
}

// lowered translates a program into blocks. splits limits how often groups of calls split, by the name of the unit.
func lowered(name string, src []byte, opt Options, splits map[string]int) (*compiler, error) {
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	c := newCompiler(name, src, opt)
	c.splits = splits
	return c, c.run(c.nesting, c.parse, c.check, c.findPositions, c.survey, c.mlpeFunction, c.buildForms, c.lower)
}

// newCompiler returns a compiler for a program's text.
func newCompiler(name string, src []byte, opt Options) *compiler {
	c := &compiler{
		name: name, src: src, opt: opt, lines: strings.Split(string(src), "\n"),
		funcs: map[types.Object]*function{}, byCall: map[*ast.CallExpr]*function{}, labels: map[types.Object]string{}, chans: map[*types.Var]*channel{}, spreads: map[*types.Var]*spread{}, taken: libraryNames(), consts: map[int64]string{}, words: map[*types.Var][]*types.Var{}, plains: map[string]string{}, written: map[string]bool{}, short: map[*function]bool{}, extents: map[types.Type]int64{}, arrayWords: map[*types.Var]arrayWord{},
		sizes: map[string][]string{}, computed: map[*types.Var]bool{}, flat: map[*ir.Loop]*flatSum{}, iterations: map[*ir.Loop]*function{}, built: map[*function]*ir.Func{},
	}
	c.splitFiles()
	c.meter.full = func(what string) {
		at := ast.Node(c.file.Name)
		if c.entry != nil {
			at = c.entry.decl.Name
		}
		c.refuse(at, "the program %s", what)
	}
	return c
}

// run runs passes until one of them finds errors. It returns the errors in the order of the text.
func (c *compiler) run(passes ...func()) error {
	for _, pass := range passes {
		c.bounded(pass)
		if c.failed() {
			slices.SortStableFunc(c.errs.List, func(a, b *asm.Error) int {
				return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
			})
			return c.errs
		}
	}
	return nil
}

// compiler is the state of one translation.
type compiler struct {
	name  string
	src   []byte
	lines []string
	opt   Options

	fset     *token.FileSet
	files    []*file
	file     *ast.File // with the declarations of all files
	pkg      *types.Package
	info     *types.Info
	errs     asm.Errors
	refusals *refusals // nil until the first mistake after the types are known
	surveyed bool      // types, and the uses of channels and arrays, are known
	mistakes int       // including mistakes that follow from others
	entry    *function
	inits    []*ast.FuncDecl
	order    []*function // in the order of the text, and then those that the compiler makes

	meter   meter
	places  *positions
	imports map[string]bool // by name: whether the imported package has no translation
	policy  *policy         // nil if a program is compiled
	prefix  string          // of the labels of tables

	funcs    map[types.Object]*function
	chans    map[*types.Var]*channel
	spreads  map[*types.Var]*spread
	arrays   []*spread  // in the order of the text
	outputs  []*spread  // that the entry returns
	made     []*channel // in the order of their functions
	tables   []*table
	computed map[*types.Var]bool // package variables whose initial values are computed by code

	tableTotal int64 // words of all tables
	debugText  int   // characters written for the debugger

	labels     map[types.Object]string     // of tables
	byCall     map[*ast.CallExpr]*function // functions made for calls of package df and for iterations
	flat       map[*ir.Loop]*flatSum       // by loop: the tree that replaces it, or nil if it stays a loop
	iterations map[*ir.Loop]*function      // by loop: the function made from its iterations, or nil
	built      map[*function]*ir.Func      // the IR of functions made from iterations
	forms      *formBuilder                // has the IR of all other functions
	short      map[*function]bool          // results of helper
	arrayWords map[*types.Var]arrayWord    // parameters that hold one word of an array
	extents    map[types.Type]int64        // the number of words of array types
	trees      int
	plains     map[string]string           // Go names, as they are written in the assembly text
	written    map[string]bool             // names in the assembly text that stand for a Go name
	taken      map[string]bool             // labels in use
	words      map[*types.Var][]*types.Var // the parts of variables
	consts     map[int64]string            // labels of large constants
	pool       []int64
	units      []*unit
	roots      []*unit  // system code
	static     []string // lines with the data words of system code
	sink       bool     // some result is discarded
	asks       bool     // the program reads words of other PEs

	splits      map[string]int      // by unit name: the splits allowed for a unit that did not fit
	retranslate bool                // some unit must be translated again
	sizes       map[string][]string // by unit name: notes about what its size has forced
}

// function is a function of the program. The compiler makes further functions for parallel loops, for accesses to
// arrays of package df, and for iterations.
type function struct {
	name   string // the name of its template
	obj    *types.Func
	decl   *ast.FuncDecl
	params []*types.Var
	result types.Type   // nil: no result
	words  int          // number of result words of a function of the program
	args   []argRange   // //emsim:arg lines of the entry
	lit    *ast.FuncLit // the literal of a parallel loop, or nil
	place  string       // of its instances: policy, mlpe, own, owner (of a piece), asked (a word, from lib/read.s)
	own    *function    // its own form, or nil
	of     *function    // whose own form this is, or nil
	unit   *unit        // its template

	arrays     []*types.Var     // parameters that are arrays: params has their words
	outs       []outEnd         // parameters that are the sending ends of channels; the others are params
	calls      []*ast.CallExpr  // of functions of the program and of made ones, also in go statements
	loops      bool             // it has loops, or waits for something
	started    bool             // by a go statement
	many       []*ast.CallExpr  // go statements in loops that start it
	startsMany bool             // it has go statements in loops
	called     bool             // by ordinary calls
	besides    []*function      // callers that may make a call of it together with other calls
	unbounded  bool             // for some caller, the number of these other calls is not known
	front      int              // number of statements at its beginning that its callers can run for it
	array      *spread          // the array of package df that it accesses itself, or nil
	behind     *spread          // the parallel loop begins on the PE after the last piece of this array, if not nil
	body       func(l *lowerer) // lowers the template, if it does not come from decl
	touches    bool             // it, or a function that it calls, uses an array of package df
	writes     bool             // it, or a function that it calls, changes such an array
	inlined    bool             // its calls are always inlined
	made       bool             // its template is needed
	lowered    bool             // its template is complete, or being made
}

// argRange is a //emsim:arg line.
type argRange struct {
	name     string
	min, max int64
}

// table is a variable of the package, with a copy on every PE.
type table struct {
	label string
	size  int64
	words []int64 // the initial words; nil means zeros
	line  int
}

// errorf reports an error about a part of the program that is not a refusal.
func (c *compiler) errorf(n ast.Node, format string, args ...any) {
	if !c.follows(nil, n.Pos(), nil) {
		c.errorAt(n.Pos(), n.End(), format, args...)
	}
}

// reject refuses a part of the program.
func (c *compiler) reject(n ast.Node, r *refusal, args ...any) { c.rejectAbout(n, nil, r, args...) }

// rejectAbout refuses a part of the program because of something in it, once for each such thing.
func (c *compiler) rejectAbout(n ast.Node, about any, r *refusal, args ...any) {
	if !c.follows(r, n.Pos(), about) {
		c.errorAt(n.Pos(), n.End(), r.says+": "+r.write, args...)
	}
}

// errorAt reports an error in a range of the text. Errors after the first 50 are only counted, because finding a column
// takes time in proportion to the length of the line, and the whole program may be one line.
func (c *compiler) errorAt(from, to token.Pos, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if len(c.errs.List) == 50 {
		c.errs.More++
		return
	}
	p := c.fset.PositionFor(from, false)
	n, line := c.lineAt(from), ""
	if n >= 1 && n <= len(c.lines) {
		line = strings.TrimSuffix(c.lines[n-1], "\r")
	}
	name, n := c.where(n)
	col := min(max(p.Column-1, 0), len(line))
	end := col + int(to-from)
	if end > len(line) || end <= col {
		end = len(line)
	}
	c.errs.List = append(c.errs.List, &asm.Error{
		File: name, Line: max(1, n), Column: utf8.RuneCountInString(line[:col]) + 1,
		Message: message, Source: line, Width: max(1, utf8.RuneCountInString(line[col:end])),
	})
}

func (c *compiler) failed() bool { return len(c.errs.List) > 0 }
