package rtl_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/internal/dev/needs"
	"emsim/isa"
	"emsim/rtl"
)

// bench is a module of formal/. It drives one unit with every input that the unit's neighbours may produce, and asserts
// properties of the unit. Each line "// P:" in the file describes a property in words.
type bench struct {
	name  string        // file and, with "_bench", module
	units string        // files of the chip below it
	sizes string        // sizes for which it is proven
	depth int           // number of clocks that are searched; 0: proven for all clocks
	joint bool          // all assertions together are inductive, which Yosys proves
	ends  bool          // nothing changes after these clocks, so the search is a proof
	only  string        // end of the names of files whose assertions count; others are about the neighbours
	wires bool          // signals without a driver may have any value, not only the value that Yosys chooses
	slow  bool          // only with -tags slow
	used  time.Duration // CPU time of the last proof
}

// steps is the Yosys script for a bench. It makes one circuit of gates and of registers without enables. Before the
// reset, the registers hold any values.
const steps = "prep -flatten -top %[2]s_bench; %[3]sasync2sync; memory_map; chformal -early; " +
	"opt -full -nodffe -nosdff; delete -output; dffunmap; "

// circuit continues the script down to gates, for ABC.
const circuit = "techmap; opt -nodffe -nosdff; abc -g AND -fast; opt_clean; " +
	"tee -o asserts select -list t:$assert; write_aiger -zinit -B bench.aig"

var (
	failing  = regexp.MustCompile(`Output +(\d+) of miter "[^"]*" was asserted in frame +(\d+)`)
	searched = regexp.MustCompile(`No output asserted in (\d+) frames`)
)

// prove reads the bench with Yosys and proves it with ABC. failed is the place of a property that does not hold and the
// number of clocks after which it fails, or "".
func (b *bench) prove(ctx context.Context, t *testing.T, chip rtl.Sources) (failed string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, chip.Write(dir))
	files := "emcr_pkg.sv formal/table.sv"
	for _, u := range strings.Fields(b.units) {
		files += " " + u + ".sv"
	}
	others := ""
	if b.only != "" {
		others = fmt.Sprintf("delete t:$assert c:*%s:* %%d; ", b.only)
	}
	if b.wires {
		others += "setundef -undriven -anyseq; "
	}
	script, engine := fmt.Sprintf("read_verilog -sv -formal %[1]s formal/%[2]s.sv; "+steps, files, b.name, others),
		fmt.Sprintf("pdr -T %d", limit())
	switch {
	case b.joint: // -mem2reg: the bench refers to places in the unit's memories
		script = strings.Replace(script, "-formal", "-formal -mem2reg", 1)
		out := b.run(ctx, t, dir, needs.Tool(t, "yosys"),
			"-p", script+fmt.Sprintf("sat -tempinduct -prove-asserts -set-assumes -maxsteps 1 -timeout %d", limit()))
		if strings.Contains(out, "Induction step proven: SUCCESS!") {
			return ""
		}
		engine = fmt.Sprintf("bmc3 -F 40 -T %d", limit())
	case b.depth > 0:
		engine = fmt.Sprintf("bmc3 -F %d", b.depth)
	}
	b.run(ctx, t, dir, needs.Tool(t, "yosys"), "-q", "-p", script+circuit)
	out := b.run(ctx, t, dir, needs.Tool(t, "berkeley-abc"), "-c",
		"read_aiger bench.aig; fold; strash; scorr; dc2; "+engine)
	if m := failing.FindStringSubmatch(out); m != nil {
		return fmt.Sprintf("%s does not hold in clock %s", b.property(t, dir, m[1]), m[2])
	}
	if b.depth > 0 {
		m := searched.FindStringSubmatch(out)
		require.NotNil(t, m, out)
		require.Equal(t, fmt.Sprint(b.depth), m[1])
	} else {
		require.Contains(t, out, "Property proved", out)
	}
	return ""
}

// limit returns the number of seconds that ABC may take for a proof. A mistake is usually found in a few seconds. A
// unit with a mistake that is not found may have no proof at all.
func limit() int {
	if os.Getenv(rtl.SourcesEnv) != "" {
		return 60
	}
	return 300
}

// property returns the place of the assertion that corresponds to an output of the circuit.
func (b *bench) property(t *testing.T, dir, output string) string {
	t.Helper()
	list, err := os.ReadFile(filepath.Join(dir, "asserts"))
	require.NoError(t, err)
	n, err := strconv.Atoi(output)
	require.NoError(t, err)
	m := regexp.MustCompile(`\$assert\$([^$]*)\$`).FindStringSubmatch(strings.Split(string(list), "\n")[n])
	require.NotNil(t, m)
	return "the assertion at or after " + m[1]
}

// run runs a program in a folder, and returns its output.
func (b *bench) run(ctx context.Context, t *testing.T, dir, exe string, args ...string) string {
	t.Helper()
	out, used := runTool(ctx, t, dir, exe, args...)
	b.used += used
	return out
}

// runTool runs a program in a folder, and returns its output and its CPU time.
func runTool(ctx context.Context, t *testing.T, dir, exe string, args ...string) (string, time.Duration) {
	t.Helper()
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s cannot build the circuit\n%s", filepath.Base(exe), out)
	return string(out), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// unitTable returns formal/table.sv, written from the table of instructions: their clocks with and without the port
// after the fetch, and whether they send, branch or write a register.
func unitTable() string {
	var s strings.Builder
	s.WriteString("package table_pkg;\n")
	function := func(name string, width int, value func(*isa.Row) int) {
		fmt.Fprintf(&s, "  function automatic logic [%d:0] %s(input logic [5:0] code);\n    case (code)\n",
			width-1, name)
		for op := range isa.Table {
			if v := value(&isa.Table[op]); v != 0 {
				fmt.Fprintf(&s, "      6'd%d: %s = %d;\n", op, name, v)
			}
		}
		fmt.Fprintf(&s, "      default: %s = 0;\n    endcase\n  endfunction\n", name)
	}
	bit := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	function("mem_clocks", 2, func(r *isa.Row) int { return int(r.Mem) })
	function("extra_clocks", 5, func(r *isa.Row) int { return int(r.Extra) })
	function("sends", 1, func(r *isa.Row) int { return bit(r.Class == isa.ClassSend) })
	function("branches", 1, func(r *isa.Row) int { return bit(r.Class == isa.ClassBranch) })
	function("writes", 1, func(r *isa.Row) int { return bit(strings.Contains(r.Operands, string(isa.LetterD))) })
	sums(&s)
	s.WriteString("endpackage\n")
	return s.String()
}

// sums writes the results of the integer instructions on single bits. The bench of the ALU combines them into results
// on words: logic bit by bit, sums with their carry, comparisons from the highest bit that differs, and shifts as the
// sum over all bits.
func sums(s *strings.Builder) {
	eval := func(op isa.Op, a, b uint64) uint64 { return isa.Width(32).Trunc(isa.Table[op].Eval(32, a, b)) }
	bits := func(name string, args, width int, value func(x []uint64) uint64) {
		fmt.Fprintf(s, "  function automatic logic [%d:0] %s(input logic [%d:0] x);\n    case (x)\n",
			width-1, name, args-1)
		for i := range 1 << args {
			x := make([]uint64, args)
			for j := range x {
				x[j] = uint64(i) >> (args - 1 - j) & 1
			}
			fmt.Fprintf(s, "      %d: %s = %d;\n", i, name, value(x))
		}
		fmt.Fprintf(s, "    endcase\n  endfunction\n")
	}
	for _, op := range []isa.Op{isa.AND, isa.OR, isa.XOR, isa.BEQ, isa.BNE, isa.BLT, isa.BLTU} {
		bits(isa.Table[op].Name+"_bit", 2, 1, func(x []uint64) uint64 { return eval(op, x[0], x[1]) & 1 })
	}
	bits("blt_sign", 2, 1, func(x []uint64) uint64 { return eval(isa.BLT, x[0]<<31, x[1]<<31) })
	bits("bltu_sign", 2, 1, func(x []uint64) uint64 { return eval(isa.BLTU, x[0]<<31, x[1]<<31) })
	bits("add_bit", 3, 2, func(x []uint64) uint64 { return eval(isa.ADD, eval(isa.ADD, x[0], x[1]), x[2]) & 3 })
	bits("sub_bit", 3, 2, func(x []uint64) uint64 {
		v := eval(isa.SUB, eval(isa.SUB, x[0], x[1]), x[2])
		return v>>31<<1 | v&1
	})
	for _, op := range []isa.Op{isa.SHL, isa.SHR, isa.SAR} {
		name := isa.Table[op].Name
		fmt.Fprintf(s,
			"  function automatic logic [31:0] %s(input logic [31:0] a, input logic [4:0] n);\n    case (n)\n", name)
		for n := range uint64(32) {
			fmt.Fprintf(s, "      %d: %s = 32'd0", n, name)
			for i := range 32 {
				fmt.Fprintf(s, " | (a[%d] ? 32'd%d : 32'd0)", i, eval(op, 1<<i, n))
			}
			fmt.Fprintln(s, ";")
		}
		fmt.Fprintf(s, "    endcase\n  endfunction\n")
	}
}

// benchList lists the benches, in the order of the table in docs/RTL.md.
var benchList = []bench{
	{name: "load", units: "load", sizes: "all inputs"},
	{name: "in_turn", sizes: "all inputs"},
	{name: "mcu", units: "mcu", sizes: "all inputs, all straps"},
	{name: "route", sizes: "all pairs of PEs, k = 1..7", depth: 18, ends: true},
	{name: "bank", units: "bank", sizes: "all straps"},
	{name: "su", units: "su bank", sizes: "k = 1..7, every PE, hop 2..5, bank 2..4, all other straps"},
	{name: "fair", units: "su bank", sizes: "[0,0] of 12 PEs, hop 2, bank 2, W = 3", slow: true},
	{
		name: "mlpe", units: "su bank",
		sizes: "k = 2, every PE, the prototype's clocks, all loads, both ties; one payload for all packets, " +
			"of 9 bits: the 8 that are compared and one for the others", slow: true,
	},
	{name: "port", units: "port", sizes: "all straps"},
	{name: "links", units: "links", wires: true, sizes: "k = 1..7, every PE", slow: true},
	{name: "ibu", units: "ibu", joint: true, sizes: "FIFO of 1..16, MIB of 0..8 packets, all other straps", slow: true},
	{name: "fmu", units: "fmu", sizes: "all straps, any memory"},
	{name: "segment", units: "segment", sizes: "3 segments of 8 words"},
	{name: "prefetch", units: "prefetch", sizes: "all inputs"},
	{name: "exu", units: "exu registers formal/any_arithmetic", sizes: "all straps, any arithmetic", slow: true},
	{name: "registers", units: "registers", sizes: "all inputs", slow: true},
	{
		name: "pe", slow: true, units: "pe su bank port ibu fmu exu registers formal/any_arithmetic segment " +
			"prefetch load mcu", only: "pe.sv", sizes: "all straps and inputs",
	},
	{name: "alu", units: "alu", sizes: "all operands", slow: true},
}

// provable returns the files under test, with the table of the instructions.
func provable(t *testing.T) rtl.Sources {
	t.Helper()
	chip, err := rtl.UnderTest()
	require.NoError(t, err)
	chip["formal/table.sv"] = unitTable()
	return chip
}

// Every property holds.
func TestProofs(t *testing.T) { proveAll(t, false) }

// proveAll proves either the slow benches or the others. With EMSIM_RTL, as mutate runs it, only benches of changed
// files are proven.
func proveAll(t *testing.T, slow bool) {
	chip, original := provable(t), rtl.Embedded()
	slots := make(chan struct{}, runtime.NumCPU())
	for i := range benchList {
		b := &benchList[i]
		if b.slow != slow || os.Getenv(rtl.SourcesEnv) != "" && !b.reads(chip, original) {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			require.Empty(t, b.prove(t.Context(), t, chip))
			t.Logf("%.1f s of CPU", b.used.Seconds())
		})
	}
	if golden.Update() {
		t.Cleanup(func() { pageTable(t, "proofs", "", proofTable(t, chip)) }) // with the times, after all proofs
	}
}

// breaks lists mistakes, and the file whose assertions find each of them: the bench's properties, or the unit's own.
var breaks = []struct{ bench, file, old, broken, finds string }{
	{"load", "load", "strs_free < 16'd22", "strs_free < 16'd21", "formal/load.sv"},
	{"in_turn", "emcr_pkg", "if      (offered[first])", "if      (offered[second])", "formal/in_turn.sv"},
	{"mcu", "mcu", "exu_request && !ibu_port", "exu_request", "formal/mcu.sv"},
	{"route", "emcr_pkg", "k + 4'd1 - {1'b0, c}", "k - {1'b0, c}", "formal/route.sv"},
	{"bank", "bank", "cfg.bank - 5'd1", "cfg.bank - 5'd2", "formal/bank.sv"},
	{"su", "bank", "fillable = !full_q && timer_q", "fillable = timer_q", "bank.sv"},
	{"su", "su", "has_room[s] && !output_busy_q[route[s]]", "has_room[s]", "formal/su.sv"},
	{"su", "su", "|can_move[2:0]} & ~input_busy_q", "|can_move[2:0]}", "su.sv"},
	{"port", "port", "intake_full    = in_full_q && in_both_q", "intake_full    = in_full_q", "formal/port.sv"},
	{"port", "port", "intake_free    = !in_full_q", "intake_free    = 1'b1", "port.sv"},
	{"fmu", "fmu", "mem_tag_we = (state_q == WRITE || looks", "mem_tag_we = (looks", "fmu.sv"},
	{"segment", "segment", "!listed && ever_q == cfg.segments", "!listed && ever_q > cfg.segments", "segment.sv"},
	{"prefetch", "prefetch", "full_q  <= wdata != 32'd0", "full_q  <= 1'b1", "prefetch.sv"},
	{"links", "links", "column_bit((c + 1) % MEMBERS)", "column_bit(c)", "formal/links.sv"},
	{"fair", "su", "|| 2'(s / 3) == reserved_input", "", "formal/fair.sv"},
	{"fair", "su", "3'(s) > reserved_slot_q", "3'(s) > 3'd3", "formal/fair.sv"},
	{"mlpe", "su", "cfg.strict} <= {1'b0", "cfg.strict} < {1'b0", "formal/mlpe.sv"},
	{"ibu", "ibu", "queues && mib_empty && !fifo_full", "queues && mib_empty", "ibu.sv"},
	{"ibu", "ibu", "n + 17'd1 == size", "n == size", "formal/ibu.sv"},
	{"exu", "exu", "left_d  = busy_clocks", "left_d  = 5'd0", "exu.sv"},
	{"registers", "registers", "we && !rst && d != 4'd0", "we && !rst", "registers.sv"},
	{"alu", "alu", "a - b", "a + b", "formal/alu.sv"},
	{"pe", "mcu", "fmu_port = !ibu_port && !exu_port", "fmu_port = !ibu_port", "pe.sv"},
}

// Proofs can fail: properties and assertions find a mistake in each unit.
func TestProofsCanFail(t *testing.T) { breakAll(t, false) }

// breakAll makes the mistakes that the slow benches find, or those that the others find, and checks that they are
// found.
func breakAll(t *testing.T, slow bool) {
	slots := make(chan struct{}, runtime.NumCPU())
	for _, x := range breaks {
		b := benchList[slices.IndexFunc(benchList, func(b bench) bool { return b.name == x.bench })]
		if b.slow != slow {
			continue
		}
		b.only = "$" + x.finds
		t.Run(x.file+" by "+x.finds, func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			chip := provable(t)
			require.True(t, strings.Contains(chip[x.file+".sv"], x.old), x.old)
			chip[x.file+".sv"] = strings.Replace(chip[x.file+".sv"], x.old, x.broken, 1)
			failed := b.prove(t.Context(), t, chip)
			require.Contains(t, failed, "after "+x.finds+":")
			t.Log(failed)
		})
	}
}

// reads reports whether one of the bench's files differs from the project's own.
func (b *bench) reads(chip, original rtl.Sources) bool {
	if b.only != "" {
		return chip[b.only] != original[b.only]
	}
	for _, file := range append(strings.Fields(b.units), "emcr_pkg") {
		if chip[file+".sv"] != original[file+".sv"] {
			return true
		}
	}
	return false
}

// proofTable returns the table of docs/RTL.md: for each bench its properties, the sizes, how they are known, and the
// CPU time of the last proof with -update. A bench that was not proven now keeps its time in the page.
func proofTable(t *testing.T, chip rtl.Sources) string {
	_, old, _ := pagePart(t, "proofs")
	var s strings.Builder
	s.WriteString("| unit | property | for | how | CPU |\n|---|---|---|---|--:|\n")
	for _, b := range benchList {
		how := "proven"
		switch {
		case b.depth > 0 && b.ends:
			how = fmt.Sprintf("proven: all %d clocks", b.depth)
		case b.depth > 0:
			how = fmt.Sprintf("searched, %d clocks", b.depth)
		}
		name, sizes, used := "`"+b.name+"`", b.sizes, fmt.Sprintf("%.1f s", b.used.Seconds())
		if b.used == 0 || !golden.Update() {
			m := regexp.MustCompile("(?m)^\\| `" + b.name + "` \\|.*\\| ([0-9.]+ s) \\|$").FindStringSubmatch(old)
			used = append(m, "", "")[1]
		}
		for line := range strings.Lines(chip["formal/"+b.name+".sv"]) {
			if _, property, ok := strings.Cut(line, "// P: "); ok {
				fmt.Fprintf(&s, "| %s | %s | %s | %s | %s |\n", name, strings.TrimSpace(property), sizes, how, used)
				name, sizes, how, used = "", "", "", ""
			}
		}
	}
	return s.String()
}

// The page has the table of properties that the benches give, and each file of formal/ is in the list of benches.
func TestProofTable(t *testing.T) {
	chip := rtl.Embedded()
	files := 0
	for name, text := range chip {
		if strings.HasPrefix(name, "formal/") && strings.Contains(text, "_bench") {
			files++
		}
	}
	require.Len(t, benchList, files)
	pageTable(t, "proofs", "go test ./rtl -run TestProofTable", proofTable(t, chip))
}
