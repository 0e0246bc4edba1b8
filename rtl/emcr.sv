// The chip: one PE with its straps tied to parameters. The defaults are the prototype's, 80 PEs
// (PARAMETERS.md, "The EM-4"). The probe is for tests; the chip has no pins for it.
module emcr #(
    parameter int K                     = 4,
    parameter int GA                    = 0,
    parameter int CA                    = 0,
    parameter int HOP                   = 3,
    parameter int BANK                  = 2,
    parameter int INJECT                = 1,
    parameter int BANKS                 = 3,
    parameter bit COMPARE               = 1'b1,
    parameter bit STRICT                = 1'b0,
    parameter bit FAIR                  = 1'b0,
    parameter bit LOAD_COUNTS_EXECUTION = 1'b0,
    parameter int FIFO_PACKETS          = 16,      // a power of two here: the FIFO has no more places
    parameter int MIB_PACKETS           = 4096,
    parameter bit BURST_REFILL          = 1'b1,
    parameter bit REFILL_BLOCKS_INTAKE  = 1'b1,
    parameter bit SPILL_INTERRUPTS      = 1'b1,
    parameter int MATCH                 = 2,       // 2 or 3
    parameter int GETSEG                = 2,       // 2..4
    parameter int SEGMENT_SHIFT         = 6,
    parameter int SEGMENTS              = 896,
    parameter int STRUCTURE_WORDS       = 65535,
    parameter int MEMORY_WORDS          = 262144,
    parameter int SEED                  = 0
) (
    input  logic        clk,
    input  logic        rst,
    output logic [1:0]  tx_valid,
    output logic [1:0]  tx_bank0, tx_bank1,
    output logic [38:0] tx_word0, tx_word1,
    input  logic [2:0]  fill_ok0, fill_ok1,
    input  logic [1:0]  rx_valid,
    input  logic [1:0]  rx_bank0, rx_bank1,
    input  logic [38:0] rx_word0, rx_word1,
    output logic [2:0]  rx_fill_ok0, rx_fill_ok1,
    input  logic        host_in_valid,
    input  logic [77:0] host_in_word0,
    output logic        host_in_taken,
    output logic        host_out_valid,
    output logic [38:0] host_out_word,
    output logic        mem_en, mem_we, mem_tag_we,
    output logic [17:0] mem_addr,
    output logic [38:0] mem_wdata,
    output logic [1:0]  mem_wtag,
    input  logic [38:0] mem_rdata,
    input  logic [1:0]  mem_rtag,
    output logic        seg_en, seg_we,
    output logic [12:0] seg_index,
    output logic [7:0]  seg_wdata,
    input  logic [7:0]  seg_rdata,
    output logic        str_en, str_op,
    output logic [31:0] str_arg,
    input  logic        str_ok,
    input  logic [17:0] str_result,
    input  logic [15:0] str_free,
    input  logic        boot,
    input  logic [17:0] boot_pc,
    output logic [2:0]  fault
);
  // MACHINE.md "Memory": the MIB at the end, the segments below it, at a multiple of their size.
  localparam int MIB_BASE      = MEMORY_WORDS - 2 * MIB_PACKETS;
  localparam int SEGMENT_WORDS = 1 << SEGMENT_SHIFT;
  localparam int SEGMENT_BASE  = (MIB_BASE - SEGMENTS * SEGMENT_WORDS) / SEGMENT_WORDS * SEGMENT_WORDS;

  emcr_pkg::cfg_t cfg;
  assign cfg = {
      7'(GA), 3'(CA), 4'(K), 4'(HOP), 5'(BANK), 4'(INJECT), 2'(BANKS), COMPARE, STRICT, FAIR, LOAD_COUNTS_EXECUTION, 8'(FIFO_PACKETS), 17'(MIB_PACKETS),
      BURST_REFILL, REFILL_BLOCKS_INTAKE, SPILL_INTERRUPTS, MATCH == 3, 2'(GETSEG - 1), 18'(SEGMENT_BASE), 3'(SEGMENT_SHIFT), 13'(SEGMENTS),
      16'(STRUCTURE_WORDS), 18'(MIB_BASE), 32'(SEED)
  };

  logic [37*64-1:0] probe;

  pe #(.FIFO_MAX(FIFO_PACKETS)) pe_i (
      .clk, .rst, .cfg,
      .tx_valid, .tx_bank0, .tx_bank1, .tx_word0, .tx_word1, .fill_ok0, .fill_ok1,
      .rx_valid, .rx_bank0, .rx_bank1, .rx_word0, .rx_word1, .rx_fill_ok0, .rx_fill_ok1,
      .host_in_valid, .host_in_word0, .host_in_taken, .host_out_valid, .host_out_word,
      .mem_en, .mem_we, .mem_tag_we, .mem_addr, .mem_wdata, .mem_wtag, .mem_rdata, .mem_rtag,
      .seg_en, .seg_we, .seg_index, .seg_wdata, .seg_rdata,
      .str_en, .str_op, .str_arg, .str_ok, .str_result, .str_free,
      .boot, .boot_pc, .fault, .probe
  );

  logic unused;
  assign unused = &{1'b0, probe};
endmodule
