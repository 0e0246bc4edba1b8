package command

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/answer"
	"emsim/internal/base/input"
	"emsim/internal/base/knob"
	"emsim/internal/base/plural"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/run"
	"emsim/internal/play"
	"emsim/internal/play/engine"
	"emsim/programs"
)

// playFlags holds the flags of 'emsim play'.
type playFlags struct {
	machineFlags
	programFlags
	seed     uint64
	vs       []string
	addr     string
	noOpen   bool
	export   string
	compiler bool
}

// playAddress is the default address of the page. The port is always the same, so that links to a view keep working.
const playAddress = "127.0.0.1:8404"

func newPlayCmd(a *app) *cobra.Command {
	f := &playFlags{}
	cmd := &cobra.Command{
		Use:   "play [PROGRAM [ARG...]]",
		Short: "The EM-4 in a browser: write a program, run it, look inside; with lessons",
		Long: `play serves a page to your browser: an editor for programs, the machine with its
packets on their links, any PE in detail, time forward and backward, the debugger's
console, and lessons. The model runs in the browser; nothing leaves the computer.

--vs opens a second run, B, next to the first one, A, with other settings: both stay
at the same clock, and the page shows where they part.

--export FOLDER writes the same page as files for any folder of any web server.
--export FILE.html writes it as one file, which opens by a double click, without a
server; with a program in Go, or with --compiler, it includes the compiler for such
programs.

A release includes the engine that runs in the browser. Otherwise Go builds the
engine the first time, which takes about a minute, and keeps it in the user's
cache. Ctrl-C ends the server.`,
		Example: `  emsim play
  emsim play fib 14 --pes 12 --policy line
  emsim play fib 20 --policy line --vs mlpe=on
  emsim play prog.s 5 --no-open
  emsim play fib.go 12
  emsim play --export site
  emsim play --export machine.html`,
		ValidArgsFunction: completePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.play(cmd, f, args) },
	}
	f.machineFlags.addFlags(a, cmd)
	f.programFlags.addFlags(a, cmd)
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the random choices")
	cmd.Flags().StringArrayVar(&f.vs, "vs", nil,
		"NAME=VALUE[,...]: a second run next to the first, with other parameters of the program, knobs of the "+
			"machine, pes or seed (may be repeated)")
	cmd.Flags().StringVar(&f.addr, "addr", playAddress, "HOST:PORT to serve at; port 0 means any free one")
	cmd.Flags().BoolVar(&f.noOpen, "no-open", false, "do not open a browser, only print the address")
	cmd.Flags().StringVar(&f.export, "export", "",
		"write the page into this folder, or into this one file if its name ends in .html, instead of serving it")
	cmd.Flags().BoolVar(&f.compiler, "compiler", false,
		"with --export FILE.html: put the compiler for programs in Go into the file, which doubles its size")
	return cmd
}

// play implements 'emsim play'.
func (a *app) play(cmd *cobra.Command, f *playFlags, args []string) error {
	exports := cmd.Flags().Changed("export")
	switch {
	case exports && f.export == "":
		return usagef("--export needs the name of a folder, or of a file that ends in .html")
	case exports && (cmd.Flags().Changed("addr") || f.noOpen):
		return usagef("--export writes files and serves nothing: leave out --addr and --no-open")
	case f.compiler && filepath.Ext(f.export) != ".html":
		return usagef("--compiler is for --export FILE.html: a folder always has it")
	case len(args) == 0:
		if err := onlyWith(cmd, []string{
			"machine", "pes", "set", "param", "policy", "mlpe", "seed",
			"include", "vs",
		}, "has no effect without a program"); err != nil {
			return err
		}
	}
	first, err := f.view(cmd, args)
	if err != nil {
		return err
	}
	var l net.Listener
	if !exports { // a wrong address is reported before the engine is built
		if l, err = f.listen(cmd); err != nil {
			return err
		}
		defer l.Close()
	}
	var line *part
	files, err := play.Engine(cmd.Context(), play.Cache(), func() {
		fmt.Fprintln(a.err, "Building the engine that runs in the browser; this is done once and takes about a minute.")
		line = a.newPart("building the engine", 0)
	})
	line.end()
	if err != nil {
		return ended(cmd.Context(), err, "while the engine was built")
	}
	site, err := play.NewSite(files, first)
	if err != nil {
		return err
	}
	if filepath.Ext(f.export) == ".html" {
		text, err := site.OneFile(f.compiler || first != nil && filepath.Ext(first.Setup.Main) == ".go")
		if err != nil {
			return err
		}
		if err := wholefile.WriteFile(f.export, text, 0o666); err != nil {
			return usagef("--export: %w", err)
		}
		x := wrote(f.export, len(text), "the page")
		x.Says = []string{"Any browser opens it, without a server."}
		return a.tell(x)
	}
	if exports {
		n, err := site.Export(f.export)
		if err != nil {
			return err
		}
		x := &answer.Answer{
			Title: fmt.Sprintf("%s: %s, %s", f.export, plural.Of(len(site), "file"), plural.Of(n, "byte")),
			Says:  []string{"Any web server can serve them from any folder."},
		}
		return a.tell(x.SayAll("folder", f.export, "files", len(site), "bytes", n))
	}
	return a.servePlay(cmd.Context(), site, l, f)
}

// servePlay serves the page until a signal ends the command, which is the normal end.
func (a *app) servePlay(ctx context.Context, site play.Site, l net.Listener, f *playFlags) error {
	url := "http://" + l.Addr().String() + "/"
	x := &answer.Answer{Title: fmt.Sprintf("The EM-4 is at %s (Ctrl-C ends it)", url)}
	if err := a.tell(x.SayAll("url", url)); err != nil {
		return err
	}
	if !f.noOpen {
		openBrowser(url)
	}
	a.line.rest("")
	host, _, _ := net.SplitHostPort(f.addr) // the address is valid, because l listens there
	return site.Serve(ctx, l, host)
}

// listen listens at the address. If the default address is taken, it uses any free port.
func (f *playFlags) listen(cmd *cobra.Command) (net.Listener, error) {
	l, err := net.Listen("tcp", f.addr)
	if err != nil && !cmd.Flags().Changed("addr") {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, usagef("--addr %s: %w; expected HOST:PORT, as in 127.0.0.1:8080, with a port that is free", f.addr,
			err)
	}
	return l, nil
}

// openBrowser asks the system to open an address in a browser. Failure is harmless, because the address has been
// printed.
func openBrowser(url string) {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	if cmd := exec.Command(name, args...); cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}

// view returns the initial state of the page, or nil without a program. The page itself shows mistakes in the program's
// text, unless --vs needs the program's parameters.
func (f *playFlags) view(cmd *cobra.Command, args []string) (*engine.View, error) {
	if len(args) == 0 {
		return nil, nil
	}
	params, err := f.values(cmd, args[0])
	if err != nil {
		return nil, err
	}
	program, rest := run.ProgramOf(args)
	a := run.Spec{
		Machine: f.machine(cmd), Program: program, Args: rest, Params: params, Include: f.include,
		Seed: f.seed,
	}
	first, err := f.setup(&a)
	if err != nil || len(f.vs) == 0 {
		return &engine.View{Setup: first}, err
	}
	o, err := a.LoadProgram()
	if err != nil {
		return nil, err
	}
	b, err := vsSpec(&a, &run.Target{Name: a.Program, Object: o}, strings.Join(f.vs, ","), new([]string))
	if err != nil {
		return nil, err
	}
	second, err := f.setup(&b)
	return &engine.View{Setup: first, Versus: &second}, err
}

// setup returns a run in the form that the page reads.
func (f *playFlags) setup(x *run.Spec) (engine.Setup, error) {
	config, err := x.Config()
	if err != nil {
		return engine.Setup{}, err
	}
	usual, err := run.Machine{Name: "emc-r", PEs: &config.PEs}.Config()
	if err != nil {
		return engine.Setup{}, err
	}
	s := engine.Setup{
		Main: x.Program + ".s", Args: x.Args, PEs: config.PEs, Params: x.Params, Seed: x.Seed,
		Sets: map[string]string{},
	}
	mine := knob.Bind(em4.Knobs(), &config)
	for i, r := range knob.Bind(em4.Knobs(), &usual) {
		if v := fmt.Sprint(mine[i].JSON()); v != fmt.Sprint(r.JSON()) {
			s.Sets[r.Key] = v
		}
	}
	if programs.Known(x.Program) {
		_, err = x.LoadProgram() // reports a wrong parameter
	} else {
		s.Main, s.Files, err = f.texts(x.Program, x.Params)
	}
	if policy := x.Params["policy"]; err == nil && programs.IsPolicyFile(policy) {
		text, err := run.OpenPolicy(policy)
		if err != nil {
			return s, err
		}
		name := filepath.Base(policy)
		if stem, ok := strings.CutSuffix(name, ".go"); ok {
			name = stem + ".s" // the page has the output of the compiler
		}
		s.Params, s.Files = maps.Clone(s.Params), maps.Clone(s.Files)
		if s.Files == nil {
			s.Files = map[string]string{}
		}
		s.Params["policy"], s.Files[name] = name, string(text)
	}
	return s, err
}

// pageText describes a valid program text.
var pageText = input.Want{What: "a program's text", Most: 1 << 20, Why: "the page shows the text"}

// texts reads a program in Go, or in assembly with its included files. The names of the files are relative to the
// program.
func (f *playFlags) texts(file string, params map[string]string) (main string, files map[string]string, err error) {
	if err := f.includeFlag.check(); err != nil {
		return "", nil, err
	}
	if run.IsGoProgram(file) {
		if len(f.include) > 0 {
			return "", nil, usagef("-I has no effect: %s is a Go program, which includes no other files", file)
		}
		text, err := run.ReadGo(file) // reads a folder of several files as one text
		main = strings.TrimSuffix(filepath.Base(file), ".go") + ".go"
		return main, map[string]string{main: string(text)}, err
	}
	if _, err := os.Stat(file); err != nil {
		_, err := run.LoadProgram(file, params) // the error says which programs exist
		return "", nil, err
	}
	text, err := pageText.Read(file)
	if err != nil {
		return "", nil, usagef("%w", err)
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return "", nil, usagef("%s is not assembly text, and the page edits only text; 'emsim dis %[1]s' makes "+
			"text from an object file", file)
	}
	main = filepath.Base(file)
	files = map[string]string{main: string(text)}
	folders := append([]string{filepath.Dir(file)}, f.include...)
	opt := f.options(params)
	opt.Open = func(name string) ([]byte, error) {
		text, err := pageText.Read(name)
		if err == nil {
			files[run.Relative(name, folders)] = string(text)
		}
		return text, err
	}
	// The page assembles the program again and shows its mistakes.
	_, _, _ = asm.Assemble(file, opt)
	return main, files, nil
}
