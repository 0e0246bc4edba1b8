//go:build !js

package run

import (
	"context"
	"io/fs"
	"maps"
	"strconv"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/compile"
	"emsim/internal/input"
	"emsim/internal/simerr"
	"emsim/programs"
)

// goText is what a Go program's file may be.
var goText = input.Want{What: "a Go program", Kinds: []input.Kind{}, Most: 1 << 20, Why: "a hundred times what a PE's memory holds"}

// GoProgram is a compiled Go program.
type GoProgram struct {
	Name, Text string            // the file, and its assembly text
	Params     map[string]string // of the text
	Options    compile.Options
	Plan       *compile.Plan // of placement auto, or nil

	source []byte
}

// Placement is what placement auto has chosen.
type Placement = compile.Plan

// CompileGo translates a Go program. params are values for the options of the
// compiler and for the parameters of the text. With placement auto the aim says
// for which run the compiler chooses what params leave open.
func CompileGo(name string, params map[string]string, aim compile.Aim) (*GoProgram, error) {
	opt, rest, err := compile.Take(params)
	if err != nil {
		return nil, err
	}
	src, err := readGo(name)
	if err != nil {
		return nil, err
	}
	g := &GoProgram{Name: name, Params: rest, source: src}
	if opt.Placement != "" && opt.Placement != compile.Given {
		aim.Given = params
		if g.Plan, err = compile.Decide(name, src, aim); err != nil {
			return nil, err
		}
		opt = g.Plan.Options
		g.Params = map[string]string{"policy": g.Plan.Policy, "mlpe": g.Plan.MLPE}
		maps.Copy(g.Params, rest)
	}
	g.Options = opt
	g.Text, err = compile.Compile(name, src, opt)
	return g, err
}

// GoGraph cuts a Go program into its strongly connected blocks.
func GoGraph(name string, params map[string]string) (*compile.Graph, error) {
	opt, _, err := compile.Take(params)
	if err != nil {
		return nil, err
	}
	src, err := readGo(name)
	if err != nil {
		return nil, err
	}
	return compile.NewGraph(name, src, opt)
}

func readGo(name string) ([]byte, error) {
	if err := exists(name); err != nil {
		return nil, err
	}
	src, err := goText.Read(name)
	if err != nil {
		return nil, simerr.Usagef("cannot read the program: %w", err)
	}
	return src, nil
}

// Assemble assembles what the compiler made.
func (g *GoProgram) Assemble() (*asm.Object, error) {
	made := g.Name + ".s"
	o, _, err := asm.Assemble(made, asm.Options{
		Params: g.Params, Library: programs.Library(), Made: &asm.Made{File: g.Name, Text: g.source},
		Open: func(path string) ([]byte, error) {
			if path != made {
				return nil, fs.ErrNotExist
			}
			return []byte(g.Text), nil
		},
	})
	return o, err
}

// aim is the run for which placement auto chooses.
func (s *Spec) aim() compile.Aim {
	a := compile.Aim{Machine: em4.Prototype80()}
	if c, err := s.Config(); err == nil {
		a.Machine = c
	}
	a.Measure = func(text string, params map[string]string, args []int64) (uint64, error) {
		return s.measure(a.Machine, &GoProgram{Name: s.Program, Text: text, Params: params}, args)
	}
	for _, text := range s.Args {
		v, err := parseInt(text)
		if err != nil {
			return a // the run says what is wrong
		}
		a.Args = append(a.Args, v)
	}
	return a
}

// mostMeasured bounds the clocks of a run that only chooses a placement [chosen].
const mostMeasured = 1_000_000

// measure is how many clocks a program takes.
func (s *Spec) measure(c em4.Config, g *GoProgram, args []int64) (uint64, error) {
	o, err := g.Assemble()
	if err != nil {
		return 0, err
	}
	var words []string
	for _, a := range args {
		words = append(words, strconv.FormatInt(a, 10))
	}
	t := &Target{Name: g.Name, Object: o, Seed: s.Seed}
	if err := t.make(c, words); err != nil {
		return 0, err
	}
	t.Share(1)
	ctx := context.Background()
	if err := t.Boot(ctx, mostMeasured); err != nil {
		return 0, err
	}
	b := New(t, Plan{Runs: 1, MaxClocks: mostMeasured})
	if err := b.Begin(); err != nil {
		return 0, err
	}
	err = b.Advance(ctx, em4.ToEnd)
	one, _ := b.End(err)
	return one.Clocks, err
}

// CompileGo translates the program of the run.
func (s *Spec) CompileGo() (*GoProgram, error) {
	g, err := CompileGo(s.Program, s.Params, s.aim())
	if err == nil {
		s.Plan = g.Plan
	}
	return g, err
}

func (s *Spec) loadGo() (*asm.Object, error) {
	g, err := s.CompileGo()
	if err != nil {
		return nil, err
	}
	return g.Assemble()
}
