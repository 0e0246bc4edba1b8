package compile

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// A program of several files is one text, with a line before each file. Lines are counted in the whole text,
// and reported with the file that they are in.

// file is a file of the program.
type file struct {
	name   string
	text   []byte
	before int // lines of the text before the file's first one
	syntax *ast.File
}

const fileLine = "//emsim:file "

// Bundle joins several files into one text, with a line before each that names it.
func Bundle(names []string, texts [][]byte) []byte {
	var b bytes.Buffer
	for i, text := range texts {
		fmt.Fprintf(&b, "%s%s\n%s\n", fileLine, names[i], text)
	}
	return b.Bytes()
}

// splitFiles splits the text into the files that Bundle has joined.
func (c *compiler) splitFiles() {
	if !bytes.HasPrefix(c.src, []byte(fileLine)) {
		c.files = []*file{{name: c.name, text: c.src}}
		return
	}
	at := 0
	for i, line := range c.lines {
		if name, ok := strings.CutPrefix(line, fileLine); ok {
			for c.fileAt(token.Position{Filename: name}) != nil {
				name += " again"
			}
			next := min(at+len(line)+1, len(c.src))
			c.files = append(c.files, &file{name: name, text: c.src[next:next], before: i + 1})
		} else if f := c.files[len(c.files)-1]; at < len(c.src) {
			f.text = f.text[:min(len(f.text)+len(line)+1, cap(f.text))]
		}
		at += len(line) + 1
	}
}

// fileAt returns the file of a position, or nil.
func (c *compiler) fileAt(p token.Position) *file {
	for _, f := range c.files {
		if f.name == p.Filename {
			return f
		}
	}
	return nil
}

// lineAt returns the line of a position in the whole text. lineOf does so for a node of the syntax.
func (c *compiler) lineAt(at token.Pos) int {
	p := c.fset.PositionFor(at, false)
	if f := c.fileAt(p); f != nil {
		return f.before + p.Line
	}
	return p.Line
}

func (c *compiler) lineOf(n ast.Node) int { return c.lineAt(n.Pos()) }

// where returns the file that a line of the whole text is in, and the line's number in that file.
func (c *compiler) where(line int) (name string, n int) {
	for _, f := range slices.Backward(c.files) {
		if line > f.before {
			return f.name, line - f.before
		}
	}
	return c.files[0].name, 1
}

// lineName returns the name of a line in messages.
func (c *compiler) lineName(line int) string {
	name, line := c.where(line)
	if len(c.files) == 1 {
		return fmt.Sprint("line ", line)
	}
	return fmt.Sprintf("line %d of %s", line, filepath.Base(name))
}

// lineDirective returns the directive that says where the following code comes from.
func (c *compiler) lineDirective(line int) string {
	name, n := c.where(line)
	return fmt.Sprintf("    .line %d, %q", n, filepath.ToSlash(name))
}
