package command

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/base/answer"
	"emsim/internal/base/escape"
	"emsim/internal/base/input"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/fingerprint"
	"emsim/internal/machine/recipe"
)

func newAgainCmd(a *app) *cobra.Command {
	var folders []string
	cmd := &cobra.Command{
		Use: "again FILE", Annotations: aboutEmsim,
		Short: "Make a result again, and compare",
		Long: `again reads from a result how it was made, makes it again, and compares the two byte
by byte, except wall times, speeds and the names of output files. FILE is an
answer of --json, a trace, checkpoint, picture, page or profile, or a table that
has its recipe next to it. The exit status is 1 if the two differ; if the models have
changed since FILE was made, the answer says so.

Files that the command read are looked up by name in the folder of FILE, the current
folder and the folders of --inputs, and must have the digests in the recipe. The command
runs in a folder of its own, with copies of these files, and writes nowhere else.`,
		Example: "  emsim run fib 20 --json > fib.json\n  emsim again fib.json\n  emsim again " +
			"docs/img/em4-fig5.svg\n  emsim again result.vcd.zst --inputs programs --inputs machines",
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.again(cmd.Context(), args[0], folders)
		},
	}
	cmd.Flags().StringArrayVar(&folders, "inputs", nil, "folder with files that the command read (may be repeated)")
	return cmd
}

func (a *app) again(ctx context.Context, file string, folders []string) error {
	was, r, text, err := readResult(file)
	if err != nil {
		return err
	}
	if len(r.Inputs) == 0 && len(folders) > 0 {
		fmt.Fprintf(a.err, "note: --inputs changes nothing: '%s' read no files\n", r.Command)
	}
	is, err := a.repeat(ctx, r, text, slices.Compact(append([]string{filepath.Dir(file), "."}, folders...)))
	if err != nil {
		return fmt.Errorf("%s cannot be made again, by '%s': %w", file, r.Command, err)
	}
	d, changed := firstDifference(was, is), r.Fingerprint != fingerprint.Recorded
	x := &answer.Answer{Title: fmt.Sprintf("equal: '%s' makes %s", r.Command, file)}
	x.SayAll("file", file, "command", r.Command, "equal", d == nil, "difference", d.keys(), "fingerprint",
		r.Fingerprint,
		"model_changed", changed)
	if d != nil {
		x.Title, x.Lists = fmt.Sprintf("different: '%s' does not make %s", r.Command, file), []answer.List{d.list()}
	}
	if changed {
		x.Says = []string{fmt.Sprintf("The model has changed since: its fingerprint was %s, now it is %s.",
			r.Fingerprint, fingerprint.Recorded)}
	}
	err = a.tell(x)
	if err == nil && d != nil {
		return errCheckFailed
	}
	return err
}

// Commands that produce no result, and flags with effects outside the command's folder.
var (
	resultless = []string{"debug", "play", "new"}
	outside    = []string{"slurm", "share", "status", "collect", "profile"}
)

// checkRecipe rejects a command line that does anything except produce a result in its own folder: the recipe may come
// from a stranger.
func checkRecipe(line []string) (*cobra.Command, error) {
	cmd, rest, err := newRootCmd(&app{}).Find(line)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	switch {
	case err != nil:
		return nil, usagef("%w", err)
	case cmd.Annotations["about"] != "" || slices.Contains(resultless, cmd.Name()):
		return nil, usagef("'%s' makes no result", cmd.CommandPath())
	}
	all := cmd.Flags().Args()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		all = append(all, flagTexts(f)...)
		if slices.Contains(outside, f.Name) {
			err = usagef("--%s does more than make a result", f.Name)
		}
	})
	for _, word := range all {
		if word != "" && !filepath.IsLocal(word) {
			err = usagef("%s is in another folder", word)
		}
	}
	return cmd, err
}

// repeat produces a result again, with the same recipe text, and returns it uncompressed.
func (a *app) repeat(ctx context.Context, r recipe.Recipe, text string, folders []string) (result []byte, err error) {
	line := unquoted(r.Command)
	line = line[min(1, len(line)):] // without the word emsim
	cmd, err := checkRecipe(line)
	if err != nil {
		return nil, err
	}
	file := ""
	if f := cmd.Flags().Lookup(r.Output); f != nil {
		file = f.Value.String()
	}
	if r.Output != "" && file == "" {
		return nil, usagef("the recipe names the output --%s, but its command line has no such flag", r.Output)
	}
	var out bytes.Buffer
	err = withInputs(r.Inputs, folders, func() error {
		inner := &app{
			line: a.line, in: strings.NewReader(""), out: newAnswers(&out), err: a.err, args: line,
			made: made{given: text},
		}
		root := newRootCmd(inner)
		root.SetArgs(line)
		root.SetErr(inner.err)
		switch err := root.ExecuteContext(ctx); {
		case ctx.Err() != nil:
			return interrupt.Of(ctx, "before it was made again")
		case err != nil && !errors.Is(err, errCheckFailed): // the failed checks are in the result
			if _, status := classify(err); status == wrong {
				return err
			}
			inner.finish(err) // the output of a failed run is a result too
		}
		if file != "" {
			result, err = readUnpacked(file)
			return err
		}
		result = out.Bytes()
		return nil
	})
	return result, err
}

// withInputs calls work in a temporary folder with copies of the inputs.
func withInputs(inputs []recipe.Input, folders []string, work func() error) error {
	folder, err := os.MkdirTemp("", "emsim-again-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, in := range inputs {
		if err := copyInput(folder, in, folders); err != nil {
			return err
		}
	}
	back, err := os.Getwd()
	if err == nil {
		err = os.Chdir(folder)
	}
	if err != nil {
		return err
	}
	return errors.Join(work(), os.Chdir(back))
}

// copyInput copies an input from the first folder that has it.
func copyInput(to string, in recipe.Input, folders []string) error {
	if !filepath.IsLocal(in.Name) {
		return usagef("%s is in another folder", in.Name)
	}
	others := ""
	for _, folder := range folders {
		from, copied := filepath.Join(folder, in.Name), filepath.Join(to, in.Name)
		sum, err := recipe.DigestFile(from)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return usagef("it reads a file %s: %w", in.Name, err)
		}
		if sum != in.SHA256 {
			others += fmt.Sprintf("\n%s is a different file, with the digest %s", from, sum)
			continue
		}
		text, err := inputFile.Read(from)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(copied), 0o700)
		}
		if err == nil {
			err = wholefile.WriteFile(copied, text, 0o600)
		}
		return err
	}
	return usagef("it reads a file %s, with the SHA-256 digest %s, which is not in %s: name its folder with --inputs%s",
		in.Name, in.SHA256, strings.Join(folders, ", "), others)
}

// resultFile describes valid results, compressed or not, and inputFile describes valid inputs.
var (
	resultFile = input.Want{What: "a result of emsim", Most: 1 << 29, Why: "a larger one is not compared"}
	inputFile  = input.Want{What: "an input", Most: 1 << 32, Why: "a larger one is not copied"}
)

// readResult returns a result, uncompressed, its recipe, and the recipe's text. file may be a table or the file with
// the table's recipe.
func readResult(file string) (result []byte, r recipe.Recipe, text string, err error) {
	if result, err = readUnpacked(file); err != nil {
		return nil, r, "", usagef("%w", err)
	}
	r, text = recipe.Find(result)
	if table := tableOf(result); r.Output != "" && table != "" {
		if result, err = readUnpacked(filepath.Join(filepath.Dir(file), filepath.Base(table))); err != nil {
			return nil, r, "", usagef("the recipe belongs to a table: %w", err)
		}
	}
	for _, name := range []string{file + ".json", strings.TrimSuffix(file, filepath.Ext(file)) + ".json"} {
		if beside, err := readUnpacked(name); text == "" && err == nil && tableOf(beside) == filepath.Base(file) {
			r, text = recipe.Find(beside)
		}
	}
	if text == "" {
		return nil, r, "", usagef("%s does not say how it was made: expected a result of emsim 0.1.0 or later, or a "+
			"table with %s.json next to it", file, filepath.Base(file))
	}
	return result, r, text, nil
}

// tableOf returns the name of the table to which a JSON file belongs, or "".
func tableOf(text []byte) string {
	var x struct{ Table string }
	_ = json.Unmarshal(text, &x) // a file that is not valid JSON belongs to no table
	return x.Table
}

// readUnpacked reads a file and decompresses it if necessary.
func readUnpacked(name string) ([]byte, error) {
	text, err := resultFile.Read(name)
	if err != nil {
		return nil, err
	}
	open := func() (io.Reader, error) {
		if bytes.HasPrefix(text, []byte("\x1f\x8b")) {
			return gzip.NewReader(bytes.NewReader(text))
		}
		return zstd.NewReader(bytes.NewReader(text), zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(uint64(resultFile.Most)))
	}
	if k := input.KindOf(name, text); k != "a gzip file" && k != "a zstd file" {
		return text, nil
	}
	var unpacked bytes.Buffer
	for _, to := range []io.Writer{io.Discard, &unpacked} { // a small file may unpack to any size: check it first
		plain, err := open()
		var n int64
		if err == nil {
			n, err = io.Copy(to, io.LimitReader(plain, resultFile.Most+1))
		}
		switch {
		case n > resultFile.Most || errors.Is(err, zstd.ErrDecoderSizeExceeded):
			return nil, fmt.Errorf("%s is too large when unpacked: %s has at most %d MiB, %s", name, resultFile.What,
				resultFile.Most>>20, resultFile.Why)
		case err != nil:
			return nil, fmt.Errorf("%s cannot be unpacked: %w", name, err)
		}
		if to == io.Discard {
			unpacked.Grow(int(n) + bytes.MinRead)
		}
	}
	return unpacked.Bytes(), resultFile.Check(name, unpacked.Bytes())
}

// different is the first difference between two results. Line is 0 if they are not text.
type different struct {
	Byte, Line, Column int
	Was, Is            string
}

// differenceColumns declare the keys of a difference.
var differenceColumns = answer.Columns[*different]{
	{Key: "byte", Doc: "from 0, uncompressed, in JSON as emsim formats it", Of: func(d *different) any {
		return d.Byte
	}},
	{Key: "line", Doc: "of a text file, from 1", Of: func(d *different) any { return unless(d.Line == 0, d.Line) }},
	{Key: "column", Doc: "from 1, in characters", Of: func(d *different) any { return unless(d.Line == 0, d.Column) }},
	{Key: "was", Doc: "the line there, in the old result", Of: func(d *different) any {
		return unless(d.Line == 0, d.Was)
	}},
	{Key: "is", Of: func(d *different) any { return unless(d.Line == 0, d.Is) }},
}

// keys returns the difference as a JSON object, null if there is none.
func (d *different) keys() (o object) {
	if d != nil {
		o = differenceColumns.Objects([]*different{d})[0]
	}
	return o
}

// list returns the place of the difference, and the two lines there.
func (d *different) list() answer.List {
	if d.Line == 0 {
		return answer.List{Notes: []string{fmt.Sprintf("byte %d", d.Byte)}}
	}
	return answer.List{
		Title: fmt.Sprintf("line %d, column %d", d.Line, d.Column),
		Rows:  [][]any{{"was", d.Was}, {"is", d.Is}}, Unbroken: true,
	}
}

// firstDifference returns the first difference between two results, or nil.
func firstDifference(was, is []byte) *different {
	was, is = comparable(was), comparable(is)
	if bytes.Equal(was, is) {
		return nil
	}
	at := 0
	for at < min(len(was), len(is)) && was[at] == is[at] {
		at++
	}
	d := &different{Byte: at}
	if isText := func(t []byte) bool { return utf8.Valid(t) && !bytes.ContainsRune(t, 0) }; isText(was) && isText(is) {
		begin := 1 + bytes.LastIndexByte(was[:at], '\n')
		d.Line, d.Column = 1+bytes.Count(was[:at], []byte("\n")), 1+utf8.RuneCount(was[begin:at])
		d.Was, d.Is = lineAt(was, begin, at), lineAt(is, begin, at)
	}
	return d
}

// lineAt returns the line that begins at byte begin. If the line is long, it returns the part around the byte `at`.
func lineAt(text []byte, begin, at int) string {
	from := max(begin, at-60) // half of the part that is shown
	line, _, _ := strings.Cut(string(text[min(from, len(text)):]), "\n")
	if from > begin {
		line = "..." + line
	}
	return escape.Line(fmt.Sprintf("%.120s", strings.ToValidUTF8(line, "")))
}

var (
	// unequalKeys matches the keys of wall times, of speeds, and of the names and sizes of outputs, with their values.
	unequalKeys = regexp.MustCompile(`"(wall_seconds|fast_share|[a-z_]+_per_second|file|output|` +
		`table|sidecar|directory|plot|bytes|ran)": ("(?:[^"\\]|\\.)*"|[-+0-9.eE]+|null)`)
	// folders matches the folders in a JSON string that begins with a path, such as the name of an input.
	folders = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*/`)
)

// comparable returns JSON in a standard form, without the values that may differ. It returns other files unchanged.
func comparable(text []byte) []byte {
	var b bytes.Buffer
	if head := bytes.TrimLeft(text, " \n"); len(head) == 0 || head[0] != '{' && head[0] != '[' ||
		json.Indent(&b, head, "", "  ") != nil {
		return text
	}
	return folders.ReplaceAll(unequalKeys.ReplaceAll(bytes.TrimSpace(b.Bytes()), []byte(`"$1": ...`)), []byte(`"`))
}

// shellWords matches the words of a line whose words recipe.Quoted has quoted; shellQuotes matches the quoted parts in
// them.
var (
	shellWords  = regexp.MustCompile(`(?:[^ '\\]|'[^']*'|\\.)+`)
	shellQuotes = regexp.MustCompile(`'([^']*)'|\\(.)`)
)

// unquoted splits a line whose words recipe.Quoted has quoted into the original words.
func unquoted(line string) []string {
	return lists.Of(shellWords.FindAllString(line, -1),
		func(w string) string { return shellQuotes.ReplaceAllString(w, "$1$2") })
}
