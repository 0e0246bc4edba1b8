// The allocator of operand segments, and the status that each segment has (MACHINE.md "Memory", "Operand
// segments"). The FMU and the EXU come here in clocks in which they have the memory port, so never both.
module segment (
    input  logic             clk,
    input  logic             rst,
    input  emcr_pkg::cfg_t   cfg,
    input  logic [2:0]       fmu_op,
    input  emcr_pkg::addr_t  fmu_addr,
    output logic             fmu_ok,      // fmu_addr is a node's word of a segment in use
    input  logic [2:0]       exu_op,
    input  emcr_pkg::addr_t  exu_addr,    // of relseg
    output emcr_pkg::addr_t  get_base,    // word 0 of the segment that getseg takes
    output emcr_pkg::addr_t  released,    // what relseg writes into word 0
    input  emcr_pkg::addr_t  link,        // word 0 of the segment as it was read
    output logic [2:0]       exu_fault,
    output logic [12:0]      segs_free,
    // status RAM
    output logic             seg_en, seg_we,
    output logic [12:0]      seg_index,
    output logic [7:0]       seg_wdata,
    input  logic [7:0]       seg_rdata,
    output logic [63:0]      probe
);
  localparam logic [1:0] FREE = 2'd0, FRESH = 2'd1, LIVE = 2'd2;

  logic [12:0]     used_q, ever_q;
  emcr_pkg::addr_t list_q;       // base of the segment released last, 0: none

  // ---- The segment of this clock ----

  logic            listed;       // there is a released segment
  emcr_pkg::addr_t addr, offset, displacement, number;
  logic            in_area;

  assign listed   = list_q != 18'd0;
  assign get_base = listed ? list_q : cfg.segment_base + ({5'd0, ever_q} << cfg.segment_shift);
  always_comb begin
    case (exu_op)
      emcr_pkg::SEG_GET:     addr = get_base;
      emcr_pkg::SEG_RELEASE: addr = exu_addr;
      default:               addr = fmu_addr;
    endcase
  end
  assign offset       = addr - cfg.segment_base;
  assign displacement = offset & ~(18'h3ffff << cfg.segment_shift);
  assign number       = offset >> cfg.segment_shift;
  assign in_area      = addr >= cfg.segment_base && number < {5'd0, cfg.segments};
  assign seg_index    = number[12:0];

  logic [5:0] waiting;
  logic [1:0] status;
  assign {waiting, status} = seg_rdata;

  // ---- Checks (MACHINE.md "Faults") ----

  logic get_ok, release_ok;
  assign fmu_ok     = in_area && displacement != 18'd0 && status != FREE;
  assign get_ok     = !listed || (in_area && displacement == 18'd0 && number < {5'd0, ever_q} && status == FREE);
  assign release_ok = in_area && displacement == 18'd0 && status != FREE && waiting == 6'd0;

  always_comb begin
    exu_fault = emcr_pkg::FAULT_NONE;
    if (exu_op == emcr_pkg::SEG_GET) begin
      if (!get_ok)                                exu_fault = emcr_pkg::FAULT_PROGRAM;
      else if (!listed && ever_q == cfg.segments) exu_fault = emcr_pkg::FAULT_SEGMENT;
    end else if (exu_op == emcr_pkg::SEG_RELEASE && !release_ok) begin
      exu_fault = emcr_pkg::FAULT_PROGRAM;
    end
  end

  // ---- Changes ----

  logic exu_done;
  assign exu_done = exu_op != emcr_pkg::SEG_NONE && exu_fault == emcr_pkg::FAULT_NONE;
  // In reset the registers of those who ask have no values yet.
  assign seg_en   = !rst && in_area && (exu_op != emcr_pkg::SEG_NONE || fmu_op != emcr_pkg::SEG_NONE);

  always_comb begin
    seg_we    = exu_done;
    seg_wdata = {6'd0, exu_op == emcr_pkg::SEG_GET ? FRESH : FREE};
    case (fmu_op)
      emcr_pkg::SEG_TAKE: begin
        seg_we    = fmu_ok && status == FRESH;
        seg_wdata = {waiting, LIVE};
      end
      emcr_pkg::SEG_WAIT: begin
        seg_we    = fmu_ok;
        seg_wdata = {waiting + 6'd1, status};
      end
      emcr_pkg::SEG_MATCHED: begin
        seg_we    = 1'b1;
        seg_wdata = {waiting - 6'd1, status};
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk) begin
    if (exu_done && exu_op == emcr_pkg::SEG_GET) begin
      used_q <= used_q + 13'd1;
      if (listed) list_q <= link;
      else        ever_q <= ever_q + 13'd1;
    end
    if (exu_done && exu_op == emcr_pkg::SEG_RELEASE) begin
      used_q <= used_q - 13'd1;
      list_q <= exu_addr;
    end
    if (rst) begin
      used_q <= 13'd0;
      ever_q <= 13'd0;
      list_q <= 18'd0;
    end
  end

  always_ff @(posedge clk) if (!rst) begin
    assert (exu_op == emcr_pkg::SEG_NONE || fmu_op == emcr_pkg::SEG_NONE);
    assert (used_q <= ever_q && ever_q <= cfg.segments);
    assert (!seg_we || !seg_en || seg_index < cfg.segments);
  end

  assign released  = list_q;
  assign segs_free = cfg.segments - used_q;
  assign probe     = {14'd0, list_q, 3'd0, ever_q, 3'd0, used_q};

  logic unused;
  assign unused = &{1'b0, cfg};
endmodule
