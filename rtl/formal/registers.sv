// The registers of the EXU (ISA.md "Registers"): one watched bit of one watched register; any may be it.
module registers_bench (
    input logic clk
);
  (* anyconst *) logic [3:0]     watched;
  (* anyconst *) logic [4:0]     place;
  (* anyseq *) logic             fire, writes;
  (* anyseq *) logic [3:0]       a, b, d;
  (* anyseq *) emcr_pkg::data_t  left, right, fp, wdata;
  emcr_pkg::data_t ra, rb;
  logic            rst, we;
  logic [8*64-1:0] probe;

  registers unit (.*);

  logic begun_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst = !begun_q;
  assign we  = writes;

  // What the watched bit is, and what it is in the clock in which a node is taken.
  logic bit_q = 0, node;
  assign node = watched == 1 ? left[place] : watched == 2 ? right[place] : watched == 15 ? fp[place] : 1'b0;
  always_ff @(posedge clk) if (begun_q) begin
    if (we && d == watched && watched != 0) bit_q <= wdata[place];
    else if (fire)                          bit_q <= node;
  end

  always_comb if (begun_q) begin
    // P: each operand is what its register got last: by an instruction, or by the node, from the clock in which it is taken on [ISA, Registers]
    if (a == watched) assert (ra[place] == (fire ? node : bit_q));
    if (b == watched) assert (rb[place] == (fire ? node : bit_q));
    // P: register 0 is always 0; after reset all are [ISA, Registers; MACHINE, Start]
    if (a == 0) assert (ra == 0);
    if (b == 0) assert (rb == 0);
  end
endmodule
