// A whole machine: (K+1) 2^K PEs, the links between them and the host at [0,0]. Memories and straps are outside. Pins
// of all PEs stand in one vector by the PE's number; machine.cpp, which has a copy of the verilated PE for each, connects
// them by the same links.
module machine #(
    parameter int K = 4,
    parameter int FIFO_MAX = 64,
    parameter int PES = (K + 1) << K  // never another: Yosys reads no localparam here
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic [emcr_pkg::CFG*PES-1:0] cfg,
    input  logic                    host_in_valid,
    input  logic [77:0]             host_in_word0,
    output logic [PES-1:0]          host_in_taken,  // only at [0,0]
    output logic [PES-1:0]          host_out_valid,
    output logic [39*PES-1:0]       host_out_word,
    output logic [PES-1:0]          mem_en, mem_we, mem_tag_we,
    output logic [18*PES-1:0]       mem_addr,
    output logic [39*PES-1:0]       mem_wdata,
    output logic [2*PES-1:0]        mem_wtag,
    input  logic [39*PES-1:0]       mem_rdata,
    input  logic [2*PES-1:0]        mem_rtag,
    output logic [PES-1:0]          seg_en, seg_we,
    output logic [13*PES-1:0]       seg_index,
    output logic [8*PES-1:0]        seg_wdata,
    input  logic [8*PES-1:0]        seg_rdata,
    output logic [PES-1:0]          str_en, str_op,
    output logic [32*PES-1:0]       str_arg,
    input  logic [PES-1:0]          str_ok,
    input  logic [18*PES-1:0]       str_result,
    input  logic [16*PES-1:0]       str_free,
    input  logic                    boot,
    input  logic [17:0]             boot_pc,
    output logic [3*PES-1:0]        fault,
    output logic [37*64*PES-1:0]    probe
);
  logic [2*PES-1:0]  tx_valid, tx_bank0, tx_bank1, rx_valid, rx_bank0, rx_bank1;
  logic [39*PES-1:0] tx_word0, tx_word1, rx_word0, rx_word1;
  logic [3*PES-1:0]  fill_ok0, fill_ok1, rx_fill_ok0, rx_fill_ok1;

  links #(.K(K)) links_i (
      .tx_valid, .tx_bank0, .tx_bank1, .tx_word0, .tx_word1, .fill_ok0, .fill_ok1,
      .rx_valid, .rx_bank0, .rx_bank1, .rx_word0, .rx_word1, .rx_fill_ok0, .rx_fill_ok1
  );

  for (genvar i = 0; i < PES; i++) begin : pes
    pe #(.FIFO_MAX(FIFO_MAX)) pe_i (
        .clk, .rst, .cfg(cfg[emcr_pkg::CFG*i +: emcr_pkg::CFG]),
        .tx_valid(tx_valid[2*i +: 2]), .tx_bank0(tx_bank0[2*i +: 2]), .tx_bank1(tx_bank1[2*i +: 2]),
        .tx_word0(tx_word0[39*i +: 39]), .tx_word1(tx_word1[39*i +: 39]), .fill_ok0(fill_ok0[3*i +: 3]), .fill_ok1(fill_ok1[3*i +: 3]),
        .rx_valid(rx_valid[2*i +: 2]), .rx_bank0(rx_bank0[2*i +: 2]), .rx_bank1(rx_bank1[2*i +: 2]),
        .rx_word0(rx_word0[39*i +: 39]), .rx_word1(rx_word1[39*i +: 39]), .rx_fill_ok0(rx_fill_ok0[3*i +: 3]), .rx_fill_ok1(rx_fill_ok1[3*i +: 3]),
        .host_in_valid(i == 0 ? host_in_valid : 1'b0), .host_in_word0, .host_in_taken(host_in_taken[i]),
        .host_out_valid(host_out_valid[i]), .host_out_word(host_out_word[39*i +: 39]),
        .mem_en(mem_en[i]), .mem_we(mem_we[i]), .mem_tag_we(mem_tag_we[i]), .mem_addr(mem_addr[18*i +: 18]),
        .mem_wdata(mem_wdata[39*i +: 39]), .mem_wtag(mem_wtag[2*i +: 2]), .mem_rdata(mem_rdata[39*i +: 39]), .mem_rtag(mem_rtag[2*i +: 2]),
        .seg_en(seg_en[i]), .seg_we(seg_we[i]), .seg_index(seg_index[13*i +: 13]), .seg_wdata(seg_wdata[8*i +: 8]),
        .seg_rdata(seg_rdata[8*i +: 8]), .str_en(str_en[i]), .str_op(str_op[i]), .str_arg(str_arg[32*i +: 32]), .str_ok(str_ok[i]),
        .str_result(str_result[18*i +: 18]), .str_free(str_free[16*i +: 16]), .boot, .boot_pc, .fault(fault[3*i +: 3]), .probe(probe[37*64*i +: 37*64])
    );
  end
endmodule
