package compile

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"emsim/df"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
)

// dfPath is the import path of package df, whose functions and types the compiler knows.
const dfPath = "emsim/df"

// parse parses the files and joins their declarations in c.file. It leaves out func main, and all imports except
// package df.
func (c *compiler) parse() {
	c.fset = token.NewFileSet()
	for _, f := range c.files {
		c.parseFile(f)
	}
	first := *c.files[0].syntax
	c.file = &first
	for _, f := range c.files[1:] {
		c.file.Decls = append(slices.Clip(c.file.Decls), f.syntax.Decls...)
		c.file.Imports = append(slices.Clip(c.file.Imports), f.syntax.Imports...)
	}
}

func (c *compiler) parseFile(x *file) {
	base := c.fset.Base()
	f, err := parser.ParseFile(c.fset, x.name, x.text, parser.ParseComments|parser.SkipObjectResolution)
	x.syntax = f
	if list, wrong := err.(scanner.ErrorList); wrong {
		pos := token.Pos(base + list[0].Pos.Offset) // others may follow from it
		c.errorAt(pos, pos+1, "%s", list[0].Msg)
		return
	}
	if f.Name.Name != "main" && c.policy == nil {
		c.errorf(f.Name, "the package is %s: expected package main, so that go run runs the program too", f.Name.Name)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && len(id.Name) <= longestName {
			c.written[id.Name] = true // the short form of another name must not become equal to it
		}
		return true
	})
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool { return importPath(s.(*ast.ImportSpec)) != dfPath })
			return len(g.Specs) == 0
		}
		g, ok := d.(*ast.FuncDecl)
		return ok && g.Name.Name == "main" && g.Recv == nil
	})
}

func importPath(s *ast.ImportSpec) string {
	p, _ := strconv.Unquote(s.Path.Value)
	return p
}

// dfImporter imports package df, and rejects all other packages.
type dfImporter struct{}

func (dfImporter) Import(path string) (*types.Package, error) {
	if path != dfPath {
		return nil, errors.New("only func main may use the package " + path)
	}
	return dfPackage(), nil
}

// dfPackage returns package df, with types from its own source. Its imports are not resolved, because only its
// declarations matter.
var dfPackage = sync.OnceValue(func() *types.Package {
	fset := token.NewFileSet()
	entries, _ := df.Sources.ReadDir(".")
	files := lists.Of(entries, func(e fs.DirEntry) *ast.File {
		text, _ := df.Sources.ReadFile(e.Name())
		f, _ := parser.ParseFile(fset, e.Name(), text, parser.SkipObjectResolution)
		return f
	})
	conf := types.Config{IgnoreFuncBodies: true, Error: func(error) {}}
	p, _ := conf.Check(dfPath, fset, files, nil)
	return p
})

// version matches the last element of an import path if it is a major version. The element before it is the package
// name.
var version = regexp.MustCompile(`^v\d+$`)

// word matches a Go identifier, or the rest of one.
var word = regexp.MustCompile(`^[\w\x{80}-\x{10FFFF}]*`)

// imported reports, for the name of each imported package, whether the package has no translation. Only df has one.
func (c *compiler) imported() map[string]bool {
	names := map[string]bool{}
	for _, s := range c.file.Imports {
		p := importPath(s)
		name := path.Base(p)
		if version.MatchString(name) {
			name = path.Base(path.Dir(p))
		}
		if s.Name != nil {
			name = s.Name.Name
		}
		names[name] = p != dfPath
	}
	return names
}

// check finds the types with go/types, and reports errors in the declarations that are compiled.
func (c *compiler) check() {
	c.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	c.imports = c.imported()
	var wrong []types.Error
	conf := types.Config{
		Importer:                 dfImporter{},
		Sizes:                    types.SizesFor("gc", "386"),
		DisableUnusedImportCheck: true,
		Error:                    func(err error) { wrong = append(wrong, err.(types.Error)) },
	}
	c.pkg, _ = conf.Check("main", c.fset, lists.Of(c.files, func(f *file) *ast.File { return f.syntax }), c.info)
	if c.policy == nil {
		wrong = c.reach(wrong)
	}
	c.typeErrors(wrong)
}

// typeError reports an error of go/types.
func (c *compiler) typeError(e types.Error) {
	if name, ok := strings.CutPrefix(e.Msg, "undefined: "); ok && c.imports[name] {
		c.reject(&ast.Ident{NamePos: e.Pos, Name: name}, otherPackages, name)
		return
	}
	p := c.fset.PositionFor(e.Pos, false)
	c.errorAt(e.Pos, e.Pos+token.Pos(max(1, len(word.Find(c.fileAt(p).text[p.Offset:])))), "%s", e.Msg)
}

// survey collects functions and tables. It finds out which functions are inlined, which have guards, and which get own
// forms.
func (c *compiler) survey() {
	for _, d := range c.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			c.surveyFunc(d)
		case *ast.GenDecl:
			c.surveyVars(d)
		}
	}
	if c.entry == nil && !c.failed() {
		c.errorf(c.file.Name, "no function is the program's entry: write //emsim:arg NAME MIN MAX above it, a line for each parameter, or //emsim:entry if it has none")
	}
	if c.failed() {
		return
	}
	for _, f := range slices.Clone(c.order) {
		c.surveyBody(f)
	}
	for _, f := range c.order {
		c.surveyChannels(f)
	}
	c.findWriters()
	c.checkFills()
	c.checkChannels()
	for _, f := range c.order {
		f.inlined = c.helper(f)
	}
	for _, f := range c.order {
		f.front = c.frontOf(f)
	}
	c.findOwn()
}

func (c *compiler) surveyFunc(d *ast.FuncDecl) {
	obj, _ := c.info.Defs[d.Name].(*types.Func)
	sig := obj.Signature()
	name := d.Name.Name
	if d.Recv != nil {
		t, _ := types.Unalias(sig.Recv().Type()).(*types.Named)
		if t == nil {
			c.reject(d.Recv, pointers, c.typeName(sig.Recv().Type()))
			return
		}
		name = t.Obj().Name() + "_" + name
	}
	switch {
	case d.Type.TypeParams != nil || sig.RecvTypeParams().Len() > 0:
		c.reject(d.Name, generics)
		return
	case d.Body == nil:
		c.errorf(d, "the function has no body: write one, { ... }")
		return
	case name == "init":
		c.inits = append(c.inits, d)
		return
	}
	f := &function{name: c.label(name), obj: obj, decl: d, place: "policy"}
	if d.Recv != nil {
		c.addParam(f, d.Recv, sig.Recv())
	}
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		if ch := chanOf(p.Type()); ch != nil {
			c.chanParam(f, d.Type.Params, i, p, ch)
		} else {
			c.addParam(f, d.Type.Params, p)
		}
	}
	switch sig.Results().Len() {
	case 0:
	case 1:
		f.result = sig.Results().At(0).Type()
	default:
		f.result = sig.Results()
	}
	if sig.Variadic() {
		c.reject(d.Type.Params, variadic)
	}
	c.order = append(c.order, f)
	c.funcs[obj] = f
	c.directives(f)
	for i, p := range slices.Collect(sig.Params().Variables()) {
		if p.Name() == "" || p.Name() == "_" {
			c.reject(d.Type.Params, unnamed, i+1)
		}
		if c.chans[p] == nil && arrayType(p.Type()) == nil {
			c.goodValue(d.Type.Params, p.Type())
		}
	}
	if f.result != nil {
		if _, ok := spreadElem(f.result); !(ok && c.entry == f) && c.goodValue(d.Type.Results, f.result) {
			f.words = int(c.wordsIn(f.result))
		}
	}
}

// directives reads the //emsim: lines above a function.
func (c *compiler) directives(f *function) {
	if f.decl.Doc == nil {
		return
	}
	for p := range f.obj.Signature().Params().Variables() {
		if isEntry(f.decl) && c.entry == nil && kindOf(p.Type()) != types.Int32 && kindOf(p.Type()) != types.Uint32 {
			c.entry = f
			c.reject(f.decl.Type.Params, entryParam, p.Name())
			return
		}
	}
	entry := false
	for _, line := range f.decl.Doc.List {
		rest, ok := strings.CutPrefix(line.Text, "//emsim:")
		if !ok {
			continue
		}
		words := strings.Fields(rest)
		if len(words) == 0 {
			words = []string{""}
		}
		switch words[0] {
		case "arg":
			entry = true
			c.argDirective(f, line, words[1:])
		case "entry":
			entry = true
		case "at":
			if len(words) != 2 || !slices.Contains([]string{"policy", "mlpe", "own"}, words[1]) {
				c.errorf(line, "expected //emsim:at policy, //emsim:at mlpe or //emsim:at own")
				continue
			}
			f.place = words[1]
		default:
			c.errorf(line, "expected //emsim:arg, //emsim:entry or //emsim:at")
		}
	}
	if !entry {
		return
	}
	if c.entry != nil {
		c.errorf(f.decl.Name, "the program has two entries: %s has //emsim: lines for arguments as well", c.entry.decl.Name.Name)
		return
	}
	c.entry = f
	if f.decl.Recv != nil {
		c.reject(f.decl.Recv, entryMethod, c.typeName(f.obj.Signature().Recv().Type()))
		return
	}
	if len(f.args) != len(f.params) {
		c.errorf(f.decl.Name, "the entry has %s and %s //emsim:arg NAME MIN MAX: write one for each", plural.Of(len(f.params), "parameter"), plural.Of(len(f.args), "line"))
	}
	if f.result == nil || c.wordsIn(f.result) != 1 {
		c.reject(f.decl.Name, entryResult, f.decl.Name.Name)
	}
}

func (c *compiler) argDirective(f *function, line *ast.Comment, words []string) {
	if len(words) != 3 {
		c.errorf(line, "expected //emsim:arg NAME MIN MAX")
		return
	}
	lo, err1 := strconv.ParseInt(words[1], 0, 64)
	hi, err2 := strconv.ParseInt(words[2], 0, 64)
	i := len(f.args)
	switch {
	case err1 != nil || err2 != nil:
		c.errorf(line, "MIN and MAX are whole numbers: //emsim:arg %s 0 100", words[0])
	case lo > hi:
		c.errorf(line, "MIN is above MAX")
	case i < len(f.params) && f.params[i].Name() != words[0]:
		c.errorf(line, "parameter %d is called %s: expected //emsim:arg %[2]s MIN MAX, in the order of the parameters", i+1, f.params[i].Name())
	case i < len(f.params) && kindOf(f.params[i].Type()) == types.Uint32 && (lo < 0 || hi > math.MaxUint32),
		i < len(f.params) && kindOf(f.params[i].Type()) == types.Int32 && (lo < math.MinInt32 || hi > math.MaxInt32):
		c.errorf(line, "the range is outside of the parameter's type")
	}
	f.args = append(f.args, argRange{words[0], lo, hi})
}

// kindOf returns the basic kind of a type, or Invalid. An int and a uint count as 32 bits, as in Go on machines with
// words of 32 bits.
func kindOf(t types.Type) types.BasicKind {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return types.Invalid
	}
	switch b.Kind() {
	case types.Int, types.UntypedInt, types.UntypedRune:
		return types.Int32
	case types.Uint:
		return types.Uint32
	}
	return b.Kind()
}

// goodType reports whether a word of the machine can hold a type, and reports an error if it cannot.
func (c *compiler) goodType(n ast.Node, t types.Type) bool {
	switch kindOf(t) {
	case types.Int32, types.Uint32, types.Float32, types.Bool, types.UntypedBool:
		return true
	case types.Float64, types.UntypedFloat:
		c.reject(n, wideWords, "float32", "float64")
	case types.Int8, types.Int16, types.Uint8, types.Uint16, types.Int64, types.Uint64, types.Uintptr:
		c.reject(n, wideWords, "int32 or uint32", t.Underlying())
	case types.String, types.UntypedString:
		c.reject(n, texts)
	default:
		if chanOf(t) != nil {
			c.reject(n, channelPlace)
		} else {
			c.reject(n, typeRefusal(t), c.typeName(t))
		}
	}
	return false
}
