package em4_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/packet"
	"emsim/programs"
)

// refusal returns New's error for a program in assembly text, or "" if there is no error.
func refusal(t *testing.T, c em4.Config, text string) string {
	t.Helper()
	prog, err := programs.Load(source(t, text))
	require.NoError(t, err)
	_, err = em4.New(c, prog, 1)
	if err == nil {
		return ""
	}
	var m *em4.Misfit
	require.ErrorAs(t, err, &m)
	require.ErrorAs(t, err, new(*em4.Usage))
	return err.Error()
}

// A table of one word per PE may use all free memory, up to the last word.
func TestPerPETableFits(t *testing.T) {
	const program = ".start main\nmain:\tout! r0\n\t.org %d\n\t.perpe\n"
	c := em4.Prototype80()
	free := c.MemoryWords - c.MIBWords - c.Segments*c.SegmentWords - c.StructureWords
	for _, pes := range []int{12, 80, 2304, 5120} {
		require.Empty(t, refusal(t, machine(pes), fmt.Sprintf(program, free-pes)))
		require.Equal(t,
			fmt.Sprintf("the program keeps a table of one word per PE (%d words); %d words are free for it: choose a "+
				"policy without one (ring, line); or raise memory_words, or lower segments, "+
				"structure_words or mib_words", pes, pes-1),
			refusal(t, machine(pes), fmt.Sprintf(program, free-pes+1)))
	}
	require.Contains(t, refusal(t, machine(80), fmt.Sprintf(program, free+10)), "(80 words); 0 words are free for it")
	require.Equal(t, fmt.Sprintf("the program keeps a table of one word per PE (1114112 words); %d words are free "+
		"for it: choose a policy without one (ring, line)", free-1),
		refusal(t, machine(1114112), fmt.Sprintf(program, 1)), "no memory is as large")
	_, err := em4.New(machine(12), em4.Program{Words: 5, PerPE: new(uint32(4))}, 1)
	require.ErrorContains(t, err, "begins at address 4, within its 5 other words")
}

// Every word of the table belongs to the program. A word that a PE stores there keeps its value, and no other word
// changes.
func TestPerPETableIsPlainMemory(t *testing.T) {
	o := source(t, `
	.start main
	.init init
main:	out! r0
init:	rds r1, k
	mov r2, 1
	shl r2, r2, r1
	add r1, r1, 1
	mul r2, r2, r1          ; PEs
.next:	st r2, r2, table - 1
	sub r2, r2, 1
	bne r2, r0, .next
	nop!
before:	.word 77
table:	.perpe
`)
	m := boot(t, machine(12), o)
	for i := range m.Config().PEs {
		mem := m.PE(i).Memory()
		require.EqualValues(t, 77, mem.Read(*o.PerPE-1))
		for j := range m.Config().PEs {
			require.EqualValues(t, j+1, mem.Read(*o.PerPE+uint32(j)))
		}
		require.Zero(t, mem.Read(*o.PerPE+uint32(m.Config().PEs)))
	}
}

// A template may use its whole operand segment, but not one word more.
func TestReachFits(t *testing.T) {
	node := ".start main\nmain:\tgetseg r3, f\n\tsend.1! r0, r3, @far\n\t.template f\n\t.space %d\nfar:\tout! " +
		"r0\n\t.endtemplate\n"
	operand := ".start main\nmain:\tout! r0\n\t.template f\nnear:\tst! r0, fp, @near + %d\n\t.space " +
		"100\n\t.endtemplate\n"
	small := func(c *em4.Config) { c.SegmentWords = 16 }
	for _, text := range []string{node, operand} {
		require.Empty(t, refusal(t, machine(12), fmt.Sprintf(text, 62)))
		require.Equal(t, "template f has a node or an operand word at displacement 64: operand segments need 128 "+
			"words, segment_words is 64; it can be 64 at most, so make two templates of it",
			refusal(t, machine(12), fmt.Sprintf(text, 63)))
		require.Empty(t, refusal(t, machine(12, small), fmt.Sprintf(text, 14)))
		require.Equal(t, "template f has a node or an operand word at displacement 16: operand segments need 32 "+
			"words, segment_words is 16; raise it",
			refusal(t, machine(12, small), fmt.Sprintf(text, 15)))
	}
	require.Contains(t, refusal(t, machine(12), ".start main\nmain:\tout! r0\n\t.template g, 70\n\t.endtemplate\n"),
		"template g has a node or an operand word at displacement 70: operand segments need 128 words")
	long := ".start main\nmain:\tout! r0\n\t.template f\na:\tsend.1! r0, fp, @a\n\t.space " +
		"100\nlater:\tnop!\n\t.endtemplate\n"
	require.Empty(t, refusal(t, machine(12), long), "a long template is no harm when its end is no node")
}

// Data words are signed or unsigned numbers of the machine's width.
func TestDataWordsFit(t *testing.T) {
	require.EqualValues(t, 32, packet.FormatFor(8).DataBits, "2304 PEs")
	require.EqualValues(t, 64, packet.FormatFor(9).DataBits, "5120 PEs")
	const program = ".start main\nmain:\tout! r0\nheld:\t.word 0, %s\n"
	for _, c := range []struct {
		word     string
		w32, w64 uint64
		wide     bool
	}{
		{"5", 5, 5, false},
		{"-1", 1<<32 - 1, 1<<64 - 1, false},
		{"1 << 32 - 1", 1<<32 - 1, 1<<32 - 1, false},
		{"-1 << 31", 1 << 31, 1<<64 - 1<<31, false},
		{"1 << 32", 0, 1 << 32, true},
		{"-1 << 31 - 1", 0, 1<<64 - 1<<31 - 1, true},
		{"0x8000000000000000", 0, 1 << 63, true},
	} {
		text := fmt.Sprintf(program, c.word)
		require.Equal(t, c.w64, build(t, machine(5120), source(t, text)).PE(1).Memory().Read(2), c.word)
		if c.wide {
			require.Equal(t,
				fmt.Sprintf("the data word %#x at address 2 (held + 1, line 3 of test.s) does not fit the machine's "+
					"words of 32 bits: it must be -2^31..2^32-1; machines with 5120 PEs or more have words of 64 bits",
					c.w64),
				refusal(t, machine(2304), text))
			continue
		}
		require.Equal(t, c.w32, build(t, machine(2304), source(t, text)).PE(1).Memory().Read(2), c.word)
	}
	_, err := em4.New(machine(12), em4.Program{Words: 1, Data: []em4.Cell{{Word: 1 << 40}}}, 1)
	var m *em4.Misfit
	require.True(t, errors.As(err, &m))
	require.ErrorContains(t, err, "at address 0 does not fit")
}
