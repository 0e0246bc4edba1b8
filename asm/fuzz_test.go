package asm

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzAssemble checks that no text makes the assembler panic or use much memory, and that every error has a place. An
// assembled program must be valid, and unchanged after disassembly.
func FuzzAssemble(f *testing.F) {
	files, err := filepath.Glob("testdata/*.s")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(".macro a x\na \\x\\x\n.endm\na 1"))
	f.Add([]byte(".macro a x\na \\x \\x\n.endm\na \"s\""))
	f.Add([]byte(".include \"f.s\"\n.float 1e+"))
	f.Fuzz(func(t *testing.T, text []byte) {
		opened := 0
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		defer func() {
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 1<<30 {
				t.Fatalf("%d bytes of text take %d bytes of memory", len(text), n)
			}
		}()
		o, l, err := Assemble("f.s", Options{Open: func(string) ([]byte, error) {
			if opened++; opened > 3 {
				return nil, os.ErrNotExist
			}
			return text, nil
		}})
		if errors.As(err, new(*Usage)) { // it is not an assembly error
			return
		}
		if l == nil {
			t.Fatal("no listing")
		}
		if len(l.String()) == 0 {
			t.Fatal("an empty listing")
		}
		if err != nil {
			var e Errors
			if !errors.As(err, &e) || len(e.List) == 0 {
				t.Fatalf("%T: %v", err, err)
			}
			for _, x := range e.List {
				if x.File == "" || x.Line < 1 || x.Column < 1 || x.Message == "" || x.Width < 1 {
					t.Fatalf("%#v", x)
				}
			}
			_ = err.Error()
			return
		}
		if err := o.Validate(); err != nil {
			t.Fatal(err)
		}
		text = []byte(Disassemble(o))
		opened = 0
		back, _, err := Assemble("f.s", textOptions(string(text)))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(o, back, ignoreSource); diff != "" {
			t.Fatalf("%s\n%s", diff, text)
		}
	})
}

// FuzzParams checks that for any choice of a run, a parameter has the given value or an error rejects it.
func FuzzParams(f *testing.F) {
	for _, s := range []string{
		"policy=ring", "policy=round-robin\ndepth=-1", "depth=0x3", "depth=\xff", "nosuch=1",
		"=", "depth=99999999999999999999",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		opt := textOptions(paramProgram)
		opt.Params = map[string]string{}
		for s := range strings.SplitSeq(text, "\n") {
			name, value, _ := strings.Cut(s, "=")
			opt.Params[name] = value
		}
		o, _, err := Assemble("p.s", opt)
		if err != nil {
			if !errors.As(err, new(*Usage)) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for i := range o.Params {
			p := &o.Params[i]
			if want := *p; opt.Params[p.Name] != "" &&
				(want.setValue(opt.Params[p.Name]) != nil || want.Value != p.Value) {
				t.Fatalf("%s is %s, not %q", p.Name, p.Chosen(), opt.Params[p.Name])
			}
		}
		if err := o.agree(opt.Params); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzUnmarshal checks that no bytes make the reader panic. An object that can be read must be valid and give the
// same file.
func FuzzUnmarshal(f *testing.F) {
	o, _, err := Assemble("testdata/templates.s", Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(o.Marshal())
	f.Add((&Object{}).Marshal())
	f.Fuzz(func(t *testing.T, b []byte) {
		for range 2 {
			o, err := Unmarshal(b)
			if err == nil {
				if err := o.Validate(); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(b, o.Marshal()); diff != "" && b[len(magic)] == version {
					t.Fatal(diff)
				}
				_ = Disassemble(o)
			}
			if len(b) < headerSize+sumSize {
				return
			}
			// Test again with a correct header and checksum.
			c := append([]byte(nil), b...)
			copy(c, (&Object{}).Marshal()[:len(magic)+4])
			putSize(c)
			b = resum(c)
		}
	})
}

func putSize(b []byte) {
	n := uint32(len(b) - headerSize - sumSize)
	b[12], b[13], b[14], b[15] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
}
