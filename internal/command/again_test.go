package command

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"emsim/internal/machine/recipe"

	"emsim/internal/base/wholefile"
	"emsim/internal/machine/fingerprint"
)

// repeated lists command lines with the files to make again from their recipes. A file of another folder is an input.
var repeated = []struct{ line, files string }{
	{"run fib 9 --pes 12 --json --stats a.csv --series b --sample 50 --threads 2", "OUT a.csv b"},
	{"run in/p.s --pes 12 --json --machine in/m.toml", "OUT"},
	{"run in/sub/q.s -I in/lib --checkpoint c.ckp --at 1 --stats a.csv", "c.ckp a.csv"},
	{"run fib 9 --pes 12 --max-clocks 200 --checkpoint in/c.ckp", "in/c.ckp"},
	{"run --resume in/c.ckp --json", "OUT"},
	{"run fib 12 --pes 12 --set segments=8 --json", "OUT"},
	{"run fib 5 --pes 12 --mlpe --events e.csv", "e.csv"},
	{"ask held fib 4 --pes 12 --json", "OUT"},
	{"trace fib 4 --pes 12 -o t.vcd --json", "OUT t.vcd"},
	{"trace fib 4 --pes 12 -o t.PFTRACE.gz", "t.PFTRACE.gz"},
	{"trace fib 4 --pes 12 -o t.txt.zst", "t.txt.zst"},
	{"trace in/p.s --pes 12 -o t.kanata", "t.kanata"},
	{"trace fib 4 --pes 12", "OUT"},
	{"profile fib 4 --pes 12 --top 3 --csv a.csv --path b.csv --pprof c.pb", "a.csv b.csv c.pb"},
	{"plot load fib 4 --pes 12 --vs policy=line -o a.svg --json", "OUT a.svg"},
	{"plot speedup fib 4 --pes 32 -o c.svg", "c.svg"},
	{"plot motion fib 4 --pes 12 --clocks 20 -o d.svg", "d.svg"},
	{"plot series in/s.csv -o a.png", "a.png"},
	{"plot blocks in/fib.go -o b.svg", "b.svg"},
	{"report fib 3 --pes 12 -o r.html --json", "OUT r.html"},
	{"sweep in/s.toml -o d.sweep --csv t.csv --plot p.svg --reference machine=m.toml --json", "OUT t.json t.csv p.svg"},
	{"verify 000.exact.1 --json", "OUT"},
	{"balance compare --policy clb --workload uneven --workers 2 --grain 3 --seeds 1 --csv a.csv --json", "OUT a.csv"},
	{"mnc run --items 20 --loops 3 --series a.csv --events b.csv --json", "OUT a.csv b.csv"},
	{"net traffic --pes 12 --clocks 50 --stats a.csv", "a.csv"},
	{"pdes cost --shape 2x2 --graph in/g.txt --json", "OUT"},
	{"spmd run --seed 3 --json", "OUT"},
	{"spmd report --tasks 3 -o m.html", "m.html"},
	{"spmd plot idle --tasks 3 --vs policy=static -o m.svg --json", "OUT m.svg"},
	{"asm in/p.s -o p.emo --json", "OUT"},
	{"machine show in/m.toml --set hop_clocks=2 --json", "OUT"},
}

// repeatFolder makes a folder with the inputs of repeated, and changes to it.
func repeatFolder(t *testing.T) {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	for _, dir := range []string{"in/sub", "in/lib"} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
	}
	for name, text := range map[string]string{
		"in/p.s": "\n        .start main\nmain:   out! r0\n", "in/m.toml": "machine = \"em4\"\nhop_clocks = 2\n",
		"in/sub/q.s":   "        .include \"two.s\"\n        .start main\nmain:   two\n        nop\n        out! r0\n",
		"in/lib/two.s": "        .macro two\n        nop\n        nop\n        .endm\n",
		"in/s.toml":    "[[grid]]\nprogram = [\"fib 3\", \"p.s\"]\nmachine = [\"emc-r\", \"m.toml\"]\npes = [12]\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	for from, to := range map[string]string{
		"programs/go/fib/fib.go":       "in/fib.go",
		"docs/examples/pdes-graph.txt": "in/g.txt",
	} {
		text, err := os.ReadFile(filepath.Join(root, from))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to, text, 0o600))
	}
	status, _, errs := emsim("mnc", "run", "--items", "20", "--loops", "3", "--series", "in/s.csv")
	require.Zero(t, status, errs)
}

// 'emsim again' repeats every form of result, from the folders of its inputs, and leaves no files. A changed result is
// reported as not equal.
func TestAgain(t *testing.T) {
	repeatFolder(t)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	for i, r := range repeated {
		status, out, errs := emsim(strings.Fields(r.line)...)
		require.NotEqual(t, wrong, status, "%s: %s%s", r.line, out, errs)
		for _, file := range strings.Fields(r.files) {
			if file == "OUT" {
				file = fmt.Sprintf("out%d", i)
				require.NoError(t, os.WriteFile(file, []byte(out), 0o600))
			}
			status, out, errs := emsim("again", file, "--inputs", "in", "--inputs", "in/sub", "--inputs", "in/lib")
			require.Zero(t, status, "%s: %s: %s%s", r.line, file, out, errs)
			require.Regexp(t, "^equal: 'emsim .*' makes "+file+"\n$", out)
			require.NotContains(t, strings.TrimSuffix(out, file+"\n"), "in/", "no input has its folder")

			text, err := readUnpacked(file)
			require.NoError(t, err)
			if strings.HasSuffix(file, ".json") || strings.HasPrefix(file, "in/") {
				continue // the table counts; this file is an input of another line
			}
			text[len(text)-3] ^= 1
			require.NoError(t, os.WriteFile(file, text, 0o600))
			status, out, _ = emsim("again", file, "--inputs", "in", "--inputs", "in/sub", "--inputs", "in/lib")
			require.NotZero(t, status, "%s: %s", file, out)
		}
	}
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
}

// 'emsim again' reports the place of the first difference, and a model that has changed.
func TestAgainDiffers(t *testing.T) {
	t.Chdir(t.TempDir())
	_, out, _ := emsim("run", "fib", "7", "--pes", "12", "--json")
	save := func(change ...string) {
		require.NoError(t, os.WriteFile("a.json", []byte(strings.NewReplacer(change...).Replace(out)), 0o600))
	}
	save(`"fib",`, `"fob",`)
	status, said, _ := emsim("again", "a.json")
	require.Equal(t, failing, status)
	require.Equal(t,
		"different: 'emsim run fib 7 --json --pes 12' does not make a.json\n\nline 2, column 16\n  was    "+
			"\"program\": \"fob\",\n  is     \"program\": \"fib\",\n", said)
	x := map[string]any{}
	status, said, _ = emsim("again", "a.json", "--json")
	require.Equal(t, failing, status)
	require.NoError(t, json.Unmarshal([]byte(said), &x))
	require.Equal(t, map[string]any{
		"file": "a.json", "command": "emsim run fib 7 --json --pes 12", "equal": false,
		"fingerprint": fingerprint.Recorded, "model_changed": false,
		"difference": map[string]any{
			"byte": 17., "line": 2., "column": 16., "was": `  "program": "fob",`,
			"is": `  "program": "fib",`,
		},
	}, x)

	save(fingerprint.Recorded, "000000000000")
	status, said, _ = emsim("again", "a.json")
	require.Zero(t, status, said)
	require.Contains(t, said, "\n  The model has changed since: its fingerprint was 000000000000, now it is "+
		fingerprint.Recorded+".\n")
	out = regexp.MustCompile(`"(wall_seconds|fast_share|pe_clocks_per_second)": [^,]*`).ReplaceAllString(out,
		`"$1": 0.5`)
	save()
	require.Equal(t, "equal: 'emsim run fib 7 --json --pes 12' makes a.json\n", answerText(t, "again", "a.json"),
		"wall times do not count")
	var short map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &short))

	require.Equal(t, &different{Byte: 2}, firstDifference([]byte("ab\x00"), []byte("ab\xff")))
	require.Equal(t, &different{Byte: 3, Line: 2, Column: 1, Is: "c"}, firstDifference([]byte("é\n"), []byte("é\nc")))
	long := strings.Repeat("é", 200)
	d := firstDifference([]byte(long+"a"+long), []byte(long+"b"+long))
	require.Equal(t, 201, d.Column)
	require.Equal(t, []string{"..." + long[:60] + "a" + long[:86*2], "..." + long[:60] + "b" + long[:86*2]},
		[]string{d.Was, d.Is})
}

func answerText(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errs := emsim(args...)
	require.Zero(t, status, errs)
	return out
}

// A recipe from a stranger produces results only in a temporary folder, and has no other effect.
func TestAgainTrustsNoRecipe(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("secret", []byte("mine"), 0o600))
	try := func(command, more string) string {
		text := fmt.Sprintf(`{"recipe": {"version": "9", "fingerprint": "f", "command": %q%s}}`, command, more)
		require.NoError(t, os.WriteFile("r.json", []byte(text), 0o600))
		status, out, errs := emsim("again", "r.json")
		require.NotZero(t, status, command)
		return out + errs
	}
	for command, says := range map[string]string{
		"emsim play":                           "makes no result",
		"emsim debug fib 3":                    "makes no result",
		"emsim again r.json":                   "makes no result",
		"emsim version":                        "makes no result",
		"emsim new x":                          "makes no result",
		"emsim nosuch":                         "unknown command",
		"emsim run fib 3 --nosuch":             "unknown flag",
		"rm -rf secret":                        "unknown shorthand flag",
		"emsim run fib 3 --profile x":          "--profile does more than make a result",
		"emsim sweep s.toml --slurm 2":         "--slurm does more than make a result",
		"emsim run fib 3 --stats /nosuch/x":    "/nosuch/x is in another folder",
		"emsim run fib 3 --stats=../secret":    "../secret is in another folder",
		"emsim run fib 3 --checkpoint a/../..": "a/../.. is in another folder",
		"emsim run /etc/passwd":                "/etc/passwd is in another folder",
		"emsim run secret":                     "no program is called \"secret\"",
		"emsim run fib x":                      "the argument n of fib is a whole number",
		"emsim":                                "different: 'emsim' does not make r.json",
	} {
		require.Contains(t, try(command, ""), says, command)
	}
	require.Contains(t, try("emsim run fib 3 --pes 12", `, "output": "nosuch"`),
		"the recipe names the output --nosuch")
	require.Contains(t, try("emsim run fib 3 --pes 12", `, "output": "stats"`),
		"the recipe names the output --stats, but its command line has no such flag")
	require.Contains(t, try("emsim run x.s", `, "inputs": [{"name": "../x.s", "sha256": ""}]`),
		"../x.s is in another folder")
	require.Contains(t, try("emsim run x.s", `, "inputs": [{"name": "secret", "sha256": "12"}]`),
		"it reads a file secret, with the SHA-256 digest 12, which is not in .: name its folder with "+
			"--inputs\nsecret is a different file, with the digest ")
	text, err := os.ReadFile("secret")
	require.NoError(t, err)
	require.Equal(t, "mine", string(text))

	for name, text := range map[string]string{
		"a.txt": "nothing", "b.json": `{"recipe": {"command": "emsim"}}`,
		"c.csv":      "a,b\n",
		"d.csv.json": `{"table": "d.csv", "recipe": {"command": "emsim", "fingerprint": "f", "output": "csv"}}`,
		"e.vcd.gz":   "\x1f\x8bno",
	} {
		require.NoError(t, wholefile.WriteFile(name, []byte(text), 0o600))
		status, _, errs := emsim("again", name)
		require.Equal(t, wrong, status, name)
		require.Regexp(t, "does not say how it was made|the recipe belongs to a table: .*d.csv|cannot be unpacked",
			errs)
	}
}

// unquoted splits a quoted line as a shell would.
func TestUnquoted(t *testing.T) {
	for _, list := range [][]string{{"a"}, {"a b", "", "c'd", `e\`, "--x=1", "é$"}, {}} {
		var line []string
		for _, w := range list {
			line = append(line, recipe.Quoted(w))
		}
		require.Equal(t, list, append([]string{}, unquoted(strings.Join(line, " "))...))
	}
}

// A compressed file that unpacks to more than any result is rejected, without using memory for its contents.
func TestAgainUnpacksNoBomb(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, writer := range map[string]func(w io.Writer) io.WriteCloser{
		"a.gz":  func(w io.Writer) io.WriteCloser { z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed); return z },
		"a.zst": func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z },
	} {
		f, err := os.Create(name)
		require.NoError(t, err)
		z := writer(f)
		part := make([]byte, 1<<20)
		for range resultFile.Most>>20 + 1 {
			_, err = z.Write(part)
			require.NoError(t, err)
		}
		require.NoError(t, z.Close())
		require.NoError(t, f.Close())
		status, _, errs := emsim("again", name)
		require.Equal(t, wrong, status)
		require.Contains(t, errs, name+" is too large when unpacked: a result of emsim has at most 512 MiB")
	}
}
