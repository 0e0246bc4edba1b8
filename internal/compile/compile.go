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
	Largest Blocks = "largest" // a block ends where a value is under way
	Medium  Blocks = "medium"  // and before every call and return
	Finest  Blocks = "finest"  // and after every statement
)

// Guards says where the tests are made that end a recursion.
type Guards string

// The places of guards.
const (
	Caller Guards = "caller" // the caller tests, and a call that ends at once makes no instance
	Callee Guards = "callee" // an instance is made first, as in the paper
)

// Options choose among translations of the same program.
type Options struct {
	Blocks    Blocks    // default Largest
	Guards    Guards    // default Caller
	Placement Placement // default Given; the others only stand in the text: who calls Compile has made the choices
}

// Compile translates a Go program into assembly text. name is the file's name
// in messages. An error about the text is asm.Errors.
func Compile(name string, src []byte, opt Options) (string, error) {
	_, text, err := fitted(name, src, opt)
	return text, err
}

// fitted translates a program so often that its functions fit operand segments as far as
// they can.
func fitted(name string, src []byte, opt Options) (c *compiler, text string, err error) {
	splits := map[string]int{}
	for {
		c, err = lowered(name, src, opt, splits)
		if err == nil && !c.again {
			text, err = c.emitProgram()
		}
		if err != nil || !c.again {
			return c, text, err
		}
	}
}

// lowered translates a program into blocks. splits is how often the groups of functions may
// split that would not fit otherwise.
func lowered(name string, src []byte, opt Options, splits map[string]int) (*compiler, error) {
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	c := newCompiler(name, src, opt)
	c.splits = splits
	return c, c.run(c.nesting, c.parse, c.check, c.findPlaces, c.survey, c.mlpeFunction, c.buildForms, c.lower)
}

// newCompiler returns a compiler of a text.
func newCompiler(name string, src []byte, opt Options) *compiler {
	c := &compiler{
		name: name, src: src, opt: opt, lines: strings.Split(string(src), "\n"),
		funcs: map[types.Object]*function{}, byCall: map[*ast.CallExpr]*function{}, labels: map[types.Object]string{}, chans: map[*types.Var]*channel{}, spreads: map[*types.Var]*spread{}, taken: libraryNames(), consts: map[int64]string{}, words: map[*types.Var][]*types.Var{}, plains: map[string]string{}, written: map[string]bool{}, short: map[*function]bool{}, extents: map[types.Type]int64{}, arrayWords: map[*types.Var]arrayWord{},
		sizes: map[string][]string{}, computed: map[*types.Var]bool{}, flat: map[*ir.Loop]*flatSum{}, turns: map[*ir.Loop]*function{}, built: map[*function]*ir.Func{},
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

// run does the passes, up to one that finds mistakes.
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
	file     *ast.File // with what all of them declare
	pkg      *types.Package
	info     *types.Info
	errs     asm.Errors
	refusals *refusals // nil until there are some
	surveyed bool      // types and uses of channels and arrays have been looked at
	mistakes int       // that have been found, also those that follow from others
	entry    *function
	inits    []*ast.FuncDecl
	order    []*function // in the order of the text

	meter   meter
	places  *places
	imports map[string]bool // packages that only code for Go may use, by their names
	policy  *policy         // nil of a program
	prefix  string          // of the names of tables

	funcs    map[types.Object]*function
	chans    map[*types.Var]*channel
	spreads  map[*types.Var]*spread
	arrays   []*spread  // in the order of the text
	made     []*channel // in the order of the text
	tables   []*table
	computed map[*types.Var]bool // variables of the package that begin with what other code computes

	tableTotal int64 // words of all of them
	toldSoFar  int   // characters for the debugger

	labels     map[types.Object]string     // of tables
	byCall     map[*ast.CallExpr]*function // of parallel loops
	flat       map[*ir.Loop]*flatSum       // loops that can be trees, or nil
	turns      map[*ir.Loop]*function      // of the turns of loops, or nil
	built      map[*function]*ir.Func      // what of the intermediate form has been built
	forms      *formBuilder                // the intermediate form
	short      map[*function]bool          // what helper has found
	arrayWords map[*types.Var]arrayWord    // words of parameters that are arrays
	extents    map[types.Type]int64        // words of arrays
	trees      int
	plains     map[string]string           // names of Go, as they stand in the text
	written    map[string]bool             // what stands there for one
	taken      map[string]bool             // names that the assembly text cannot use again
	words      map[*types.Var][]*types.Var // of variables
	consts     map[int64]string            // labels of large constants
	pool       []int64
	units      []*unit
	roots      []*unit  // system code
	static     []string // words of system code
	sink       bool     // some result goes nowhere
	asks       bool     // words of other PEs are asked for

	splits map[string]int      // by the names of units
	again  bool                // some are to be made again
	sizes  map[string][]string // what has been chosen because of their sizes
}

// function is a Go function.
type function struct {
	name   string // its template
	obj    *types.Func
	decl   *ast.FuncDecl
	params []*types.Var
	result types.Type   // nil: none
	words  int          // of the result, if there are several
	args   []argRange   // of the entry
	lit    *ast.FuncLit // of a parallel loop
	place  string       // where its instances go: policy, mlpe, own
	own    *function    // its own form, or nil
	of     *function    // whose own form this is, or nil
	unit   *unit        // its template

	arrays     []*types.Var     // parameters that are arrays: params has their words
	outs       []outEnd         // parameters that are the sending ends of channels; the others are params
	calls      []*ast.CallExpr  // of functions of the program
	loops      bool             // it has loops, or waits for something
	started    bool             // by a go statement
	many       []*ast.CallExpr  // of go statements in loops
	startsMany bool             // it has such statements
	called     bool             // in another way
	besides    []*function      // its callers that make a call of it together with another one
	unbounded  bool             // or with any number of others
	front      int              // statements at its beginning that its callers can run for it
	array      *spread          // of package df, whose method this is
	behind     *spread          // the parallel loop begins behind the pieces of this array
	body       func(l *lowerer) // makes the template, instead of decl
	touches    bool             // it uses such an array, or calls what does
	writes     bool             // it changes such an array, or calls what does
	inlined    bool             // always runs in its caller
	made       bool             // its template has been asked for
	lowered    bool             // its template has been made
}

// argRange is a //emsim:arg line.
type argRange struct {
	name     string
	min, max int64
}

// table is an array of the package: it lies on every PE.
type table struct {
	label string
	size  int64
	words []int64 // or nil: zeros
	line  int
}

// errorf reports an error about a part of the program.
func (c *compiler) errorf(n ast.Node, format string, args ...any) {
	c.errorAt(n.Pos(), n.End(), format, args...)
}

// errorAt reports an error about a piece of text. What one that is only counted costs
// does not depend on its line, which may be the whole program.
func (c *compiler) errorAt(from, to token.Pos, format string, args ...any) {
	c.mistakes++
	if c.places != nil && c.policy == nil && c.refusedAlready(from) {
		return
	}
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
