package ref_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/ref"
)

// kind is implemented by the errors of both sides.
type kind interface{ Kind() string }

// The machine and the reference find the same violations in a program, with the same names.
func TestFaultsEqualMachine(t *testing.T) {
	const head = ".start main\nmain:\n"
	faults := map[string]struct{ want, text string }{
		"segments":     {"segment_overflow", ".loop:\n getseg r3, f\n jmp .loop\n.template f\nx: nop!\n.endtemplate"},
		"structures":   {"structure_overflow", " mov r3, 65535\n getstr r4, r3\n getstr! r4, r3"},
		"no structure": {"program_error", " getstr! r3, 0"},
		"twice released": {
			"program_error",
			" getseg r3, f\n relseg r3\n relseg! r3\n.template f\nx: nop!\n.endtemplate",
		},
		"not begun": {"program_error", " getstr r3, 4\n add r3, r3, 1\n relstr! r3"},
		"waiting": {"program_error", " getseg r3, f\n send.l r1, r3, @x\n send.1! r0, r3, @y\n" +
			".template f\nx: nop!\ny: relseg! fp\n.endtemplate"},
		"two lefts": {"program_error", " getseg r3, f\n send.l r1, r3, @x\n send.l! r1, r3, @x\n.template f\nx: " +
			"nop!\n.endtemplate"},
		"released": {"program_error", " getseg r3, f\n relseg r3\n send.1! r1, r3, @x\n.template f\nx: " +
			"nop!\n.endtemplate"},
		"word 0":  {"program_error", " getseg r3, f\n send.1! r1, r3, 0\n.template f\nx: nop!\n.endtemplate"},
		"no PE":   {"program_error", " mov r3, 7\n shl r3, r3, 18\n send.d! r3, r3, main"},
		"code":    {"program_error", " st! r3, r0, main"},
		"special": {"program_error", ".nocheck\n .code 0x" + fmt.Sprintf("%x", uint64(1)<<38|32<<32|3)},
		"data":    {"program_error", ".nocheck\n jmp data\ndata: .word 5"},
	}
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			o, err := assembleText(head + f.text)
			require.NoError(t, err)
			m, err := machine(o, prototype(12), 1)
			require.NoError(t, err)
			_, timed := runTimed(m, o, 0)
			r, err := ref.New(o, ref.Options{PEs: 12})
			require.NoError(t, err)
			_, untimed := runUntimed(r, o, 0)
			for side, err := range map[string]error{"machine": timed, "reference": untimed} {
				var k kind
				require.True(t, errors.As(err, &k), "%s: %v", side, err)
				require.Equal(t, f.want, k.Kind(), "%s: %v", side, err)
			}
		})
	}
}

// The reference is stricter than the machine: it forbids words outside the program, and a word in which an operand
// waits.
func TestStrictness(t *testing.T) {
	for name, text := range map[string]string{
		"nobody's": " mov r3, 1\n shl r3, r3, 17\n ld! r4, r3, 0",
		"released": " getseg r3, f\n relseg r3\n st! r3, r3, 40\n.template f\nx: nop!\n.endtemplate",
		"beyond":   " getstr r3, 4\n st! r3, r3, 4",
		"matching word": " getseg r3, f\n send.l r1, r3, @x\n send.1! r0, r3, @y\n.template f\nx: nop!\ny: st! r0, " +
			"fp, @x\n.endtemplate",
		"runs on forever": ".here:\n jmp .here",
	} {
		o, err := assembleText(".start main\nmain:\n" + text)
		require.NoError(t, err)
		r, err := ref.New(o, ref.Options{PEs: 4, Limit: 10000})
		require.NoError(t, err)
		_, err = r.Run(0)
		require.Error(t, err, name)
	}
}

// The words of a new structure have values on which no program can rely: they differ for each seed.
func TestRubbish(t *testing.T) {
	o, err := assembleText(".start main\nmain:\n getstr r3, 4\n ld r4, r3, 3\n out! r4")
	require.NoError(t, err)
	seen := map[uint64]bool{}
	for seed := range uint64(4) {
		r, err := ref.New(o, ref.Options{PEs: 4, Seed: seed})
		require.NoError(t, err)
		result, err := r.Run(0)
		require.NoError(t, err)
		require.Len(t, result.Words, 1)
		seen[result.Words[0]] = true
	}
	require.Len(t, seen, 4)
}

// Allocating and freeing storage leaks nothing on either side; the program tells the host the numbers of free words and
// segments.
func TestStorageIsGivenBack(t *testing.T) {
	o, err := assembleText(`
.arg n, 1, 100000, main
main:
    mov r9, r1
.again:
    and r4, r9, 7
    add r4, r4, 1
    getstr r5, r4
    getstr r6, 3
    getseg r7, f
    getseg r8, f
    relstr r5
    relseg r7
    relseg r8
    relstr r6
    sub r9, r9, 1
    bne r9, r0, .again
    rds r3, strs
    out r3
    rds r3, segs
    out! r3
.template f
x:  nop!
.endtemplate`)
	require.NoError(t, err)
	c := prototype(4)
	c.StructureWords, c.Segments = 0x16, 8
	m, err := machine(o, c, 1)
	require.NoError(t, err)
	want, err := runTimed(m, o, 500)
	require.NoError(t, err)
	require.Equal(t, []uint64{0x16, 8}, want.Words)
	r, err := ref.New(o, ref.Options{PEs: 4, StructureWords: 0x16, Segments: 8})
	require.NoError(t, err)
	got, err := runUntimed(r, o, 500)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// New and Run reject options and arguments that do not fit.
func TestRefusals(t *testing.T) {
	o, err := assembleText(".arg a, 0, 9, main\nmain: out! r1")
	require.NoError(t, err)
	for want, opt := range map[string]ref.Options{
		"no machine has 13 PEs": {PEs: 13},
		"do not fit":            {PEs: 12, Segments: 8191},
	} {
		_, err := ref.New(o, opt)
		require.ErrorContains(t, err, want)
	}
	r, err := ref.New(o, ref.Options{PEs: 12})
	require.NoError(t, err)
	_, err = r.Run()
	require.ErrorContains(t, err, "0 arguments for a program that takes 1")
}
