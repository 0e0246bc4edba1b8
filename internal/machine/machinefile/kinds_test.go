package machinefile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/dev/golden"
)

// values returns a machine's values, by key.
func values(m *Machine) map[string]any {
	all := map[string]any{}
	for _, r := range m.Rows {
		all[r.Key] = r.Get()
	}
	return all
}

// Every kind of machine can be read back from the file that Write makes of it.
func TestEveryKindRoundTrips(t *testing.T) {
	for _, k := range Kinds() {
		rapid.Check(t, func(t *rapid.T) {
			m := k.NewMachine()
			for _, r := range m.Rows {
				if r.Key == "seed" || r.Key == "noise_seed" {
					continue // TOML has no numbers beyond 63 bits
				}
				old := r.Get()
				r.Draw(func(n uint64) uint64 { return rapid.Uint64Range(0, n-1).Draw(t, r.Key) })
				if m.Check() != nil {
					require.NoError(t, r.Put(old)) // does not fit the other values
				}
			}
			var b bytes.Buffer
			require.NoError(t, m.Write(&b, "any"))
			back := k.NewMachine()
			require.NoError(t, back.Read("m.toml", b.Bytes()), "%s", b.String())
			require.Empty(t, cmp.Diff(values(m), values(back)))
		})
	}
}

// Every other kind rejects a machine's file and names the file's kind: the header states it, or else the keys reveal
// it.
func TestFilesOfAnotherKind(t *testing.T) {
	for _, theirs := range Kinds() {
		var b bytes.Buffer
		require.NoError(t, theirs.NewMachine().Write(&b, "x"))
		for _, text := range []string{b.String(), strings.Replace(b.String(), "machine = ", "# ", 1)} {
			for _, ours := range Kinds() {
				err := ours.NewMachine().Read("f.toml", []byte(text))
				if ours.Name == theirs.Name {
					require.NoError(t, err)
					continue
				}
				require.ErrorContains(t, err, theirs.Doc)
				require.ErrorContains(t, err, "not of "+ours.Doc)
				require.ErrorContains(t, err, theirs.Command+" f.toml'")
			}
		}
	}
	_, err := readEM4("f.toml", []byte("\nmachine = 'rhinet2'\n"))
	require.ErrorContains(t, err, "f.toml:2:1: machine is the kind of machine in quotes, one of em4, mnc, rhinet, "+
		"spmd, pdes; did you mean \"rhinet\"?")
	c, err := Load("em4")
	require.NoError(t, err)
	require.Equal(t, em4.Prototype80(), c)
	_, err = Load("mnc")
	require.EqualError(t, err, "mnc is the MNC computer, not the EM-4: 'emsim mnc run --machine mnc'")
}

// Wrong values give clear errors for knob types that the EM-4 does not have.
func TestErrorsOfOtherKinds(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{"mnc", "slotss = 3", `f.toml:1:1: an MNC computer has no knob "slotss"; did you mean "slots"?`},
		{"mnc", "slots = 37", "f.toml:1:1: slots is 37, it must be 1..36 data"},
		{"mnc", "slow = '5=400'", "f.toml:1:8: slow is a list of strings in quotes, not the string \"5=400\""},
		{"mnc", "g_pa = nan", "f.toml:1:1: g_pa: NaN: expected a number"},
		{"rhinet", "slice_on = 5", `f.toml:1:12: slice_on is a duration in quotes, as "1.5ms", not 5`},
		{"rhinet", "slice_on = '5'", `f.toml:1:12: slice_on is a duration in quotes, as "1.5ms", not the string "5"`},
		{
			"rhinet", "network = 'token-ring'",
			`f.toml:1:1: network is "token-ring", it must be one of rhinet2, ethernet`,
		},
		{"rhinet", "omega = 2", "f.toml:1:1: omega is 2, it must be above 0 and below 2"},
		{"spmd", "interval = '1500ns'", "f.toml:1:1: interval: 1.5µs is not a whole number of microseconds"},
		{"spmd", "loaded = '9'", "f.toml:1:1: loaded: there is no processor 9"},
		{"pdes", "shape = 44", "f.toml:1:9: shape is text in quotes, not 44"},
		{"pdes", "stages = 5", "f.toml:1:1: stages: 5 has no default shape"},
	} {
		k, ok := KindOf(c.kind)
		require.True(t, ok)
		err := k.NewMachine().Read("f.toml", []byte(c.text))
		require.Error(t, err, c.text)
		require.Contains(t, messages(err), c.want)
	}
}

// Errors of --set for every kind of machine.
func TestSetOfOtherKinds(t *testing.T) {
	for _, c := range []struct{ kind, set, want string }{
		{"mnc", "slots", "--set slots: expected KEY=VALUE, for example --set slots=32"},
		{"mnc", "slot=3", `--set slot=3: an MNC computer has no knob "slot": it has pes, `},
		{"rhinet", "policy=best", `--set policy=best: policy is one of nolb, gnolb, `},
		{"spmd", "loaded=x", `--set loaded=x: loaded: "x" is not a number`},
		{"pdes", "cell=1.5", `--set cell=1.5: cell must be a number of clocks, not "1.5"`},
	} {
		k, _ := KindOf(c.kind)
		require.ErrorContains(t, k.NewMachine().Set([]string{c.set}), c.want)
	}
	k, _ := KindOf("mnc")
	m := k.NewMachine()
	require.NoError(t, m.Set([]string{"slots=3", "slow=odd=400,5=50", "g_pa=0.5"}))
	require.Equal(t, []any{int64(3), []string{"odd=400", "5=50"}, 0.5},
		[]any{values(m)["slots"], values(m)["slow"], values(m)["g_pa"]})
	require.ErrorContains(t, m.Set([]string{"slots=3", "slots=4"}), "two values")
	require.ErrorContains(t, k.NewMachine().Load("no.toml"),
		`no machine and no file is called "no.toml": expected mnc or a TOML file`)
}

// docs/PARAMETERS.md equals the tables; -update rewrites it.
func TestParametersPage(t *testing.T) {
	file := filepath.Join("..", "..", "..", "docs", "PARAMETERS.md")
	page := []byte(page())
	if golden.Update() {
		require.NoError(t, os.WriteFile(file, page, 0o644))
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(string(have), string(page)),
		"docs/PARAMETERS.md is stale: go test ./internal/machine/machinefile -run ParametersPage -update")
}

func page() string {
	var b strings.Builder
	b.WriteString(`# Parameters

For changing a machine: every parameter of the five machines, its range, its default and where that comes from. It is made from the tables in the code (` + "`em4/knobs.go`, `mnc/knobs.go`, `cluster/rhinet/knobs.go`,\n`cluster/spmd/knobs.go`, `pdes/knobs.go`" + `), and a test compares it with them. Each parameter can be set with ` + "`--set KEY=VALUE`" + ` and in a
machine file; ` + "`emsim machine show`" + ` prints one. Some also have a flag. An explicit flag overrides ` + "`--set`" + `, which overrides the file,
which overrides the default. Write a duration as ` + "`1.5ms`" + `, in files in quotes, and a list as ` + "`a,b`" + ` after ` + "`--set`" + `, in files
as ` + "`[\"a\", \"b\"]`" + `.
`)
	cell := strings.NewReplacer("|", `\|`)
	for _, k := range Kinds() {
		fmt.Fprintf(&b, "\n## %s%s: `machine = %q`\n\n", strings.ToUpper(k.Doc[:1]), k.Doc[1:], k.Name)
		fmt.Fprintf(&b, "`emsim machine show %s`, `%s FILE.toml`\n\n",
			map[bool]string{true: "emc-r", false: k.Name}[k.Name == "em4"], k.Command)
		b.WriteString("| key | flag | default | unit | range | source | what it is |\n| --- | --- | --- | --- | --- " +
			"| --- | --- |\n")
		for _, r := range k.NewMachine().Rows {
			flag := ""
			if r.Flag != "" {
				flag = "`--" + r.Flag + "`"
			}
			value := "`" + r.TOML() + "`"
			if r.Zero != "" {
				value += ", " + knob.Nothing(r.Get()) + " is: " + r.Zero
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", r.Key, flag, value, r.Unit,
				cell.Replace(r.Range()), cell.Replace(r.Source), cell.Replace(strings.ReplaceAll(r.Doc, "`", "")))
		}
	}
	return b.String()
}
