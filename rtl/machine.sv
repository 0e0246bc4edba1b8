// A whole machine: (K+1) 2^K PEs, the links between them and the host at [0,0]. Memories and straps are outside. Pins
// are by the PE's number; machine.cpp, which has a copy of the verilated PE for each, connects them by the same links.
module machine #(
    parameter int K = 4,
    parameter int FIFO_MAX = 64,
    localparam int PES = (K + 1) << K
) (
    input  logic             clk,
    input  logic             rst,
    input  emcr_pkg::cfg_t   cfg [PES],
    input  logic             host_in_valid,
    input  logic [77:0]      host_in_word0,
    output logic             host_in_taken [PES],  // only at [0,0]
    output logic             host_out_valid [PES],
    output logic [38:0]      host_out_word [PES],
    output logic             mem_en [PES], mem_we [PES], mem_tag_we [PES],
    output logic [17:0]      mem_addr [PES],
    output logic [38:0]      mem_wdata [PES],
    output logic [1:0]       mem_wtag [PES],
    input  logic [38:0]      mem_rdata [PES],
    input  logic [1:0]       mem_rtag [PES],
    output logic             seg_en [PES], seg_we [PES],
    output logic [12:0]      seg_index [PES],
    output logic [7:0]       seg_wdata [PES],
    input  logic [7:0]       seg_rdata [PES],
    output logic             str_en [PES], str_op [PES],
    output logic [31:0]      str_arg [PES],
    input  logic             str_ok [PES],
    input  logic [17:0]      str_result [PES],
    input  logic [15:0]      str_free [PES],
    input  logic             boot,
    input  logic [17:0]      boot_pc,
    output logic [2:0]       fault [PES],
    output logic [37*64-1:0] probe [PES]
);
  logic [1:0]  tx_valid [PES], tx_bank0 [PES], tx_bank1 [PES], rx_valid [PES], rx_bank0 [PES], rx_bank1 [PES];
  logic [38:0] tx_word0 [PES], tx_word1 [PES], rx_word0 [PES], rx_word1 [PES];
  logic [2:0]  fill_ok0 [PES], fill_ok1 [PES], rx_fill_ok0 [PES], rx_fill_ok1 [PES];

  links #(.K(K)) links_i (
      .tx_valid, .tx_bank0, .tx_bank1, .tx_word0, .tx_word1, .fill_ok0, .fill_ok1,
      .rx_valid, .rx_bank0, .rx_bank1, .rx_word0, .rx_word1, .rx_fill_ok0, .rx_fill_ok1
  );

  for (genvar i = 0; i < PES; i++) begin : pes
    pe #(.FIFO_MAX(FIFO_MAX)) pe_i (
        .clk, .rst, .cfg(cfg[i]),
        .tx_valid(tx_valid[i]), .tx_bank0(tx_bank0[i]), .tx_bank1(tx_bank1[i]),
        .tx_word0(tx_word0[i]), .tx_word1(tx_word1[i]), .fill_ok0(fill_ok0[i]), .fill_ok1(fill_ok1[i]),
        .rx_valid(rx_valid[i]), .rx_bank0(rx_bank0[i]), .rx_bank1(rx_bank1[i]),
        .rx_word0(rx_word0[i]), .rx_word1(rx_word1[i]), .rx_fill_ok0(rx_fill_ok0[i]), .rx_fill_ok1(rx_fill_ok1[i]),
        .host_in_valid(i == 0 ? host_in_valid : 1'b0), .host_in_word0, .host_in_taken(host_in_taken[i]),
        .host_out_valid(host_out_valid[i]), .host_out_word(host_out_word[i]),
        .mem_en(mem_en[i]), .mem_we(mem_we[i]), .mem_tag_we(mem_tag_we[i]), .mem_addr(mem_addr[i]),
        .mem_wdata(mem_wdata[i]), .mem_wtag(mem_wtag[i]), .mem_rdata(mem_rdata[i]), .mem_rtag(mem_rtag[i]),
        .seg_en(seg_en[i]), .seg_we(seg_we[i]), .seg_index(seg_index[i]), .seg_wdata(seg_wdata[i]),
        .seg_rdata(seg_rdata[i]), .str_en(str_en[i]), .str_op(str_op[i]), .str_arg(str_arg[i]), .str_ok(str_ok[i]),
        .str_result(str_result[i]), .str_free(str_free[i]), .boot, .boot_pc, .fault(fault[i]), .probe(probe[i])
    );
  end
endmodule
