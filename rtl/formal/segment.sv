// The allocator of operand segments (MACHINE.md "Memory", "Operand segments", "Faults") on three segments of eight words. The
// program does not write into the list of released segments; the status memory and words 0 are here.
module segment_bench (
    input logic clk
);
  (* anyseq *) logic [1:0]      what;
  (* anyseq *) emcr_pkg::addr_t at, template;
  (* anyseq *) logic [2:0]      fmu_step;

  emcr_pkg::cfg_t  cfg;
  logic            rst, fmu_ok, seg_en, seg_we;
  logic [2:0]      fmu_op, exu_op, exu_fault;
  emcr_pkg::addr_t fmu_addr, exu_addr, get_base, released, link;
  logic [12:0]     segs_free, seg_index;
  logic [7:0]      seg_wdata, seg_rdata;
  logic [63:0]     probe;

  segment unit (.*);

  localparam emcr_pkg::addr_t BASE = 18'd64;
  always_comb begin
    cfg               = '0;
    cfg.segment_base  = BASE;
    cfg.segment_shift = 3'd3;
    cfg.segments      = 13'd3;
  end

  logic begun_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst = !begun_q;

  // One unit has the memory port: the EXU allocates or releases, or the FMU does one of its steps on a segment.
  assign exu_op   = what == 1 ? emcr_pkg::SEG_GET : what == 2 ? emcr_pkg::SEG_RELEASE : emcr_pkg::SEG_NONE;
  assign fmu_op   = what == 3 ? fmu_step : emcr_pkg::SEG_NONE;
  assign exu_addr = at;
  assign fmu_addr = at;
  always_comb assume (fmu_step <= emcr_pkg::SEG_MATCHED);

  // The status memory, and word 0 of each segment.
  logic [7:0]      status_q [4];
  emcr_pkg::addr_t word_q [4];
  logic [1:0]      got;
  assign got       = 2'(get_base - BASE >> 3);
  assign seg_rdata = status_q[seg_index[1:0]];
  assign link      = word_q[got];
  logic done;
  assign done = exu_fault == emcr_pkg::FAULT_NONE;
  always_ff @(posedge clk) begin
    if (seg_en && seg_we) status_q[seg_index[1:0]] <= seg_wdata;
    if (exu_op == emcr_pkg::SEG_GET && done)     word_q[got] <= template;
    if (exu_op == emcr_pkg::SEG_RELEASE && done) word_q[2'(at - BASE >> 3)] <= released;
    if (rst) for (int i = 0; i < 4; i++) status_q[i] <= 8'd0;
  end

  // Written again: which are in use, and how many operands wait in each.
  logic [2:0] used_q;
  logic [1:0] number;
  logic       node, base;
  assign number = 2'(at - BASE >> 3);
  assign node   = at >= BASE && at < BASE + 18'd24 && at[2:0] != 0;
  assign base   = at >= BASE && at < BASE + 18'd24 && at[2:0] == 0;
  logic [5:0] waiting_q [4];
  always_ff @(posedge clk) begin
    if (exu_op == emcr_pkg::SEG_GET && done)     used_q[got] <= 1;
    if (exu_op == emcr_pkg::SEG_RELEASE && done) used_q[number] <= 0;
    if (fmu_op == emcr_pkg::SEG_WAIT && fmu_ok)  waiting_q[number] <= waiting_q[number] + 6'd1;
    if (fmu_op == emcr_pkg::SEG_MATCHED)         waiting_q[number] <= waiting_q[number] - 6'd1;
    if (rst) begin
      used_q <= 0;
      for (int i = 0; i < 4; i++) waiting_q[i] <= 6'd0;
    end
  end
  // The FMU matches what waits; a segment has fewer than 64 matching words.
  always_comb begin
    if (fmu_op == emcr_pkg::SEG_MATCHED) assume (fmu_ok && waiting_q[number] != 0);
    if (fmu_op == emcr_pkg::SEG_WAIT && fmu_ok) assume (waiting_q[number] != 63);
  end

  always_comb begin
    // P: in reset, when the units that ask hold anything, no status is read or written
    if (rst) assert (!seg_en);
  end

  always_comb if (begun_q) begin
    // P: a segment in use is never handed out, and the one handed out is one of the machine's
    if (exu_op == emcr_pkg::SEG_GET && done) assert (!used_q[got] && get_base >= BASE && get_base < BASE + 18'd24 && get_base[2:0] == 0);
    // P: SEGMENT fault exactly when all are in use [MACHINE, Faults]
    if (exu_op == emcr_pkg::SEG_GET) assert (exu_fault == (used_q == 3'b111 ? emcr_pkg::FAULT_SEGMENT : emcr_pkg::FAULT_NONE));
    // P: what is released is the base of a segment in use in which nothing waits; all else is a fault [MACHINE, Faults]
    if (exu_op == emcr_pkg::SEG_RELEASE)
      assert (exu_fault == (base && used_q[number] && waiting_q[number] == 0 ? emcr_pkg::FAULT_NONE : emcr_pkg::FAULT_PROGRAM));
    // P: the special register segs is the number of free ones
    assert (segs_free == 13'd3 - {12'd0, used_q[0]} - {12'd0, used_q[1]} - {12'd0, used_q[2]});
    // P: the FMU is told "ok" exactly for a node's word of a segment in use [MACHINE, Faults]
    if (fmu_op != emcr_pkg::SEG_NONE) assert (fmu_ok == (node && used_q[number]));
    // P: an access to a status stays inside the table of statuses
    if (seg_en) assert (seg_index < 3);
    // P: nothing is written without an operation
    if (seg_en && seg_we) assert (exu_op != emcr_pkg::SEG_NONE || fmu_op != emcr_pkg::SEG_NONE);
  end
endmodule
