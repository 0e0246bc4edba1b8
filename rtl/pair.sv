// The four PEs of the network with k = 1, two groups of two, wired together. Only for lint: no path leads
// round through connected PEs within a clock. Vectors hold the pins of PE 0..3, number 2 GA + CA.
module pair (
    input  logic          clk,
    input  logic          rst,
    input  logic          host_in_valid,
    input  logic [77:0]   host_in_word0,
    output logic          host_in_taken,
    output logic [3:0]    host_out_valid,
    output logic [155:0]  host_out_word,
    output logic [3:0]    mem_en, mem_we, mem_tag_we,
    output logic [71:0]   mem_addr,
    output logic [155:0]  mem_wdata,
    output logic [7:0]    mem_wtag,
    input  logic [155:0]  mem_rdata,
    input  logic [7:0]    mem_rtag,
    output logic [3:0]    seg_en, seg_we,
    output logic [51:0]   seg_index,
    output logic [31:0]   seg_wdata,
    input  logic [31:0]   seg_rdata,
    output logic [3:0]    str_en, str_op,
    output logic [127:0]  str_arg,
    input  logic [3:0]    str_ok,
    input  logic [71:0]   str_result,
    input  logic [63:0]   str_free,
    input  logic [3:0]    boot,
    input  logic [71:0]   boot_pc,
    output logic [11:0]   fault
);
  logic [1:0]       valid [4];             // the links, by the PE that drives them
  logic [1:0]       bank0 [4], bank1 [4];
  logic [38:0]      word0 [4], word1 [4];
  logic [2:0]       ok0 [4], ok1 [4];
  logic [3:0]       taken;
  assign host_in_taken = taken[0];

  for (genvar n = 0; n < 4; n++) begin : pes
    localparam int GA = n / 2;
    localparam int CA = n % 2;
    // MACHINE.md "PEs and the network": output 0 leads to [GA, 1-CA]. With k = 1 the word W(g) is 00 or 11
    // and the two bits that change are all, so output 1 leads to [1-GA, 1-CA]. Both ways come back alike.
    localparam int RING  = 2 * GA + 1 - CA;
    localparam int CROSS = 2 * (1 - GA) + 1 - CA;

    logic [1:0] from;
    assign from = {valid[CROSS][1], valid[RING][0]};

    logic [37*64-1:0] probe;
    logic             unused;
    assign unused = &{1'b0, probe};

    emcr_pkg::cfg_t cfg;
    assign cfg = {
        7'(GA), 3'(CA), 4'd1, 4'd3, 5'd2, 4'd1, 2'd3, 1'b1, 8'd16, 17'd4096,
        3'b111, 18'd196608, 3'd6, 13'd896, 16'd65535, 18'd253952, 32'd0
    };

    pe #(.FIFO_MAX(16)) pe_i (
        .clk, .rst, .cfg,
        .tx_valid(valid[n]), .tx_bank0(bank0[n]), .tx_bank1(bank1[n]), .tx_word0(word0[n]), .tx_word1(word1[n]),
        .fill_ok0(ok0[RING]), .fill_ok1(ok1[CROSS]),
        .rx_valid(from), .rx_bank0(bank0[RING]), .rx_bank1(bank1[CROSS]),
        .rx_word0(word0[RING]), .rx_word1(word1[CROSS]), .rx_fill_ok0(ok0[n]), .rx_fill_ok1(ok1[n]),
        .host_in_valid(n == 0 ? host_in_valid : 1'b0), .host_in_word0, .host_in_taken(taken[n]),
        .host_out_valid(host_out_valid[n]), .host_out_word(host_out_word[39*n +: 39]),
        .mem_en(mem_en[n]), .mem_we(mem_we[n]), .mem_tag_we(mem_tag_we[n]), .mem_addr(mem_addr[18*n +: 18]),
        .mem_wdata(mem_wdata[39*n +: 39]), .mem_wtag(mem_wtag[2*n +: 2]),
        .mem_rdata(mem_rdata[39*n +: 39]), .mem_rtag(mem_rtag[2*n +: 2]),
        .seg_en(seg_en[n]), .seg_we(seg_we[n]), .seg_index(seg_index[13*n +: 13]),
        .seg_wdata(seg_wdata[8*n +: 8]), .seg_rdata(seg_rdata[8*n +: 8]),
        .str_en(str_en[n]), .str_op(str_op[n]), .str_arg(str_arg[32*n +: 32]), .str_ok(str_ok[n]),
        .str_result(str_result[18*n +: 18]), .str_free(str_free[16*n +: 16]),
        .boot(boot[n]), .boot_pc(boot_pc[18*n +: 18]), .fault(fault[3*n +: 3]), .probe
    );
  end

  logic unused;
  assign unused = &{1'b0, taken};
endmodule
