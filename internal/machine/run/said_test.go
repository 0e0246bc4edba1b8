package run

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// If a program states no type, a single word is also shown as a negative number. A word that the machine has truncated
// is shown in full.
func TestWordNotes(t *testing.T) {
	target, err := (&Spec{
		Program: "fib", Args: []string{"5"}, Seed: 1,
		Machine: Machine{Name: "emc-r"},
	}).Load(t.Context())
	require.NoError(t, err)
	x := New(target, Plan{Runs: 1}).Answer(OneRun{})
	note := func(words ...uint64) string { x.Words = words; return x.wordNote() }
	require.Empty(t, note())
	require.Empty(t, note(7))
	require.Equal(t, "As a signed word the result is -2.", note(0xffff_fffe))
	require.Empty(t, note(0x7fff_ffff))
	require.Empty(t, note(0xffff_fffe, 1))
	target.Object.Result = "uint32"
	require.Empty(t, note(0xffff_fffe))

	target.Words = []uint64{48}
	require.Equal(t, "The result is wrapped to 32 bits: in full it is 4,807,526,976.", note(4_807_526_976&0xffff_ffff))
	require.Empty(t, note(8))
}
