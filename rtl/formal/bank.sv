// One bank of a switch (TIMING.md "After a grant"), filled and emptied as a switch may. In a word one bit stands for all.
module bank_bench (
    input logic clk
);
  (* anyconst *) emcr_pkg::cfg_t cfg;
  (* anyseq *) logic             comes, goes, mark;
  (* anyseq *) logic [1:0]       word_route;

  logic            rst, fill, taken, fillable, arrived;
  logic [1:0]      route;
  emcr_pkg::word_t word, address, data;
  logic [63:0]     probe_state, probe_data;

  bank unit (.*);

  logic begun_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst   = !begun_q;
  assign fill  = begun_q && comes && fillable;
  assign taken = begun_q && goes && arrived;
  assign word  = {38'd0, mark};
  always_comb assume (cfg.hop != 0 && cfg.bank != 0);

  // What came, and the clocks since then, or since it left.
  logic       full_q, new_q, address_q, data_q;
  logic [1:0] route_q;
  logic [4:0] clocks_q;
  always_ff @(posedge clk) begin
    clocks_q <= fill || taken ? 5'd1 : clocks_q == 5'd31 ? 5'd31 : clocks_q + 5'd1;
    new_q    <= fill;
    if (fill) begin
      full_q    <= 1;
      address_q <= mark;
      route_q   <= word_route;
    end
    if (new_q) data_q <= mark;
    if (taken) full_q <= 0;
    if (rst) begin
      full_q   <= 0;
      clocks_q <= 5'd31;
    end
  end

  always_comb if (begun_q) begin
    // P: a packet may be arbitrated from hop_clocks after its grant on, and not before [TIMING, After a grant]
    assert (arrived == (full_q && clocks_q >= {1'd0, cfg.hop}));
    // P: it can be filled again bank_clocks after its packet was granted, and not before; after reset at once [TIMING, The switch]
    assert (fillable == (!full_q && clocks_q >= cfg.bank));
    // P: address word, data word and route are those that came; the data word one clock later [003 §2]
    if (full_q) assert (address[0] == address_q && route == route_q);
    if (full_q && !new_q) assert (data[0] == data_q);
  end
endmodule
