package programs_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/programs"
)

// checkText checks a policy given as a text.
func checkText(text string, params map[string]string) error {
	given := map[string]string{"policy": "my/mine.s"}
	for name, value := range params {
		given[name] = value
	}
	return programs.CheckPolicy(given, func(name string) ([]byte, error) {
		if name != "my/mine.s" {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	})
}

// The names of policies are the files of the library, which obey the same rules as users' policies.
func TestPolicies(t *testing.T) {
	files, err := fs.Glob(programs.Library(), "lib/policy/*.s")
	require.NoError(t, err)
	names := programs.Policies()
	require.Equal(t, "ring", names[0], "the usual one")
	require.Len(t, files, len(names))
	for _, file := range files {
		require.Contains(t, names, strings.TrimSuffix(path.Base(file), ".s"))
		text, err := fs.ReadFile(programs.Library(), file)
		require.NoError(t, err)
		for _, p := range []params{nil, {
			"mlpe": "on", "ring_first": "in", "line_first": "far",
			"line_path": "numbered",
		}, {"ring_table": "next"}} {
			require.NoError(t, checkText(string(text), p), file)
		}
	}
	start := programs.PolicyStart(false)
	require.NoError(t, checkText(start.Text("mine"), nil))
	require.NotContains(t, start.Text("mine"), "PROGRAM")
	require.NoError(t, programs.CheckPolicy(params{"policy": "ring"}, nil))
}

// policyWith returns a policy with an additional line in one of its macros.
func policyWith(macro, line string) string {
	text := ""
	for _, name := range []string{"choose which", "policy_init", "policy_blocks", "policy_data"} {
		body := map[string]string{
			"choose which": " rds r3, pe\n", "policy_blocks": "told: nop!\n",
			"policy_data": "mine: .space 1\n",
		}[name]
		if strings.HasPrefix(name, macro) {
			body += line + "\n"
		}
		text += ".macro " + name + "\n" + body + ".endm\n"
	}
	return text
}

// A policy that breaks a rule is reported with its place.
func TestCheckPolicy(t *testing.T) {
	for line, want := range map[string]string{
		"choose: add r5, r3, 1": "", "choose: rds r6, load": "", "choose: ld r7, r0, mine": "",
		"choose: st r3, r5, mine":     "",
		"choose: send.d r5, r3, told": "", "choose: rds r5, segs": "", "choose: beq r5, r0, .x\\@\n.x\\@:": "",
		"choose: cont.d r5, r3, told": "",
		"policy_init: mov r10, r4":    "", "policy_blocks: more: ld r1, r0, mine\n send.d! r1, r1, told": "",
		"policy_init: fadd r5, r6, r7":                "",
		"policy_blocks: more: mov r14, fp\n jmp told": "", "choose: rds r5, seed": "", "choose: nop": "",

		"choose: mov r4, 1":                  "choose may not change r4, which its program uses: only r3, r5, r6, r7",
		"choose: mov fp, 1":                  "choose may not change fp",
		"choose: add r3, r1, 1":              "choose may not read r1, which belongs to the call",
		"choose: add r3, r5, r2":             "choose may not read r2",
		"choose: ld r3, fp, 1":               "choose may not read fp",
		"choose: st r8, r0, mine":            "choose may not read r8",
		"choose: mov! r3, 1":                 "choose does not end the block",
		"choose: jmp told":                   "choose may not jump out of itself",
		"choose: rds r3, mlpe":               "rds is not for a policy",
		"choose: getseg r3, r5":              "getseg is not for a policy",
		"choose: ld r3, r0, 0":               "a policy has its own variables",
		"choose: ld r3, r0, -1":              "a policy has its own variables",
		"choose: send.d r3, r3, begin":       "a policy sends packets to its own blocks",
		"choose: send r3, r3, 1":             "a policy sends packets to its own blocks",
		"policy_blocks: .word 1":             "the variables of a policy stand in its macro policy_data",
		"policy_init: mov r4, 1":             "policy_init may not change r4",
		"policy_init: mov r14, 1":            "policy_init may not change r14",
		"policy_init: nop!":                  "policy_init does not end the block",
		"policy_blocks: more: out! r1":       "out is not for a policy",
		"policy_blocks: more: mlpe! told":    "mlpe is not for a policy",
		"policy_blocks: more: wrs! mlpe, r1": "wrs is not for a policy",
		"policy_blocks: more: jmp begin":     "policy_blocks may not jump out of itself",
	} {
		macro, line, _ := strings.Cut(line, ": ")
		text := policyWith(macro, strings.ReplaceAll(line, "\\\\", "\\"))
		err := checkText(text, nil)
		if want == "" {
			require.NoError(t, err, line)
			continue
		}
		var wrong asm.Errors
		require.ErrorAs(t, err, &wrong, line)
		require.Contains(t, wrong.List[0].Message, want, line)
		require.Equal(t, "my/mine.s", wrong.List[0].File)
		code := strings.TrimPrefix(strings.TrimSpace(line), "more: ")
		require.Contains(t, strings.Split(text, "\n")[wrong.List[0].Line-1], code)
		same := slices.DeleteFunc(wrong.List,
			func(e *asm.Error) bool { return e.Line != wrong.List[0].Line || e.Message != wrong.List[0].Message })
		require.Len(t, same, 1, "once, though choose stands there twice")
	}
	require.ErrorContains(t, checkText("nop\n"+policyWith("", ""), nil),
		"my/mine.s:1:1: code and data of a policy stand in its macros")
	for missing, rest := range map[string]string{
		"policy_init": "",
		"policy_data": ".macro policy_init\n ld r1, r0, my_x\n.endm\n.macro policy_blocks\n.endm\n",
	} {
		err := checkText(".macro choose w\n.endm\n"+rest, nil)
		require.True(t, strings.HasSuffix(err.Error(), `NAME' writes one): no instruction or macro is called "`+missing+
			`"`), err)
	}
	require.ErrorContains(t, checkText(policyWith("choose", " .if mlpe == mlpe.on\n mov r4, 1\n .endif"),
		params{"mlpe": "on", "grain": "large"}), "may not change r4")
	require.NoError(t, checkText(policyWith("choose", " .if mlpe == mlpe.on\n mov r4, 1\n .endif"), nil))
}

// The template for a policy works as the policy of every program, in assembly language and in Go, with and without
// MLPE.
func TestPolicyStartRunsPrograms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.s")
	start := programs.PolicyStart(false)
	require.NoError(t, os.WriteFile(file, []byte(start.Text("mine")), 0o666))
	for _, p := range programs.List() {
		for _, mlpe := range []string{"off", "on"} {
			args := strconv.FormatUint(p.Small[1][0], 10)
			own, leaks := startRun(t, p.Name, 12, params{"policy": file, "mlpe": mlpe}, args)
			require.Empty(t, leaks, p.Name)
			o, err := programs.Assemble(p.Name, nil)
			require.NoError(t, err)
			want, err := programs.Answer(p.Name, o, p.Small[1], 12)
			require.NoError(t, err)
			require.Equal(t, want, own, p.Name)
			compiled, _ := startRun(t, filepath.Join("go", p.Name, p.Name+".go"), 12,
				params{"policy": file, "mlpe": mlpe}, args)
			require.NotEmpty(t, compiled, p.Name)
		}
	}
}
