// A packet that walks from one PE to another by emcr_pkg::route, one link a clock, over the links of MACHINE.md: all pairs of
// PEs of all networks at once. ARCHITECTURE.md, "No deadlock in the network", names each of these steps. Nothing comes in after the
// first clock, and after 15 clocks nothing changes any more: a search of 18 clocks is all there is.
module route_bench (
    input logic clk
);
  (* anyconst *) logic [3:0]     k;
  (* anyconst *) emcr_pkg::ga_t  from_ga, to_ga;
  (* anyconst *) emcr_pkg::ca_t  from_ca, to_ca;
  (* anyconst *) logic           searches;    // an MLPE packet of the PE's own EXU
  (* anyconst *) logic [38:0]    rest;        // the bits of the address word that say nothing of the way

  emcr_pkg::word_t word;
  assign word = {1'b0, searches ? emcr_pkg::KIND_MLPE : emcr_pkg::KIND_DATA, rest[30:28], to_ga, to_ca, rest[17:0]};

  logic            begun_q = 0;
  emcr_pkg::ga_t   ga_q;
  emcr_pkg::ca_t   ca_q;
  logic [4:0]      links_q;
  logic [1:0]      zeros_q, bank_q;
  logic [4:0]      clocks_q = 0;

  emcr_pkg::ga_t ga;
  emcr_pkg::ca_t ca, next_ca;
  logic [4:0]    links;
  logic [1:0]    zeros, bank, out, next_bank;
  assign ga    = begun_q ? ga_q : from_ga;
  assign ca    = begun_q ? ca_q : from_ca;
  assign links = begun_q ? links_q : 5'd0;
  assign zeros = begun_q ? zeros_q : 2'd0;
  assign bank  = begun_q ? bank_q : 2'd0;
  assign out   = searches && !begun_q ? emcr_pkg::OUT_GROUP : emcr_pkg::route(word, ga, ca, k);

  // MACHINE.md "PEs and the network": W(g), s(c), the out-of-group link.
  logic [7:0] here, there, flipped;
  logic [2:0] bit_here, bit_next;
  assign here      = {ga, ^ga};
  assign there     = {to_ga, ^to_ga};
  assign bit_here  = ca == 0 ? 3'd0 : 3'(k + 4'd1 - {1'b0, ca});
  assign bit_next  = next_ca == 0 ? 3'd0 : 3'(k + 4'd1 - {1'b0, next_ca});
  assign next_ca   = {1'b0, ca} == k ? 3'd0 : ca + 3'd1;
  assign flipped   = here ^ (8'd1 << bit_here) ^ (8'd1 << bit_next);
  assign next_bank = next_ca == 0 ? bank + 2'd1 : bank;

  logic [7:0] differ, differ_next;
  assign differ      = here ^ there;
  assign differ_next = out == emcr_pkg::OUT_GROUP ? flipped ^ there : differ;

  logic [5:0] rank, next_rank;        // bank * (k + 1) + column
  assign rank      = (bank == 0 ? 6'd0 : bank == 1 ? {2'd0, k} + 6'd1 : {1'd0, k, 1'b0} + 6'd2) + {3'd0, ca};
  assign next_rank = (next_bank == 0 ? 6'd0 : next_bank == 1 ? {2'd0, k} + 6'd1 : {1'd0, k, 1'b0} + 6'd2) + {3'd0, next_ca};

  always_comb begin
    assume (k >= 1 && k <= 7);
    assume ({1'b0, from_ca} <= k && {1'b0, to_ca} <= k);
    assume ({1'b0, from_ga} < 8'd1 << k && {1'b0, to_ga} < 8'd1 << k);
    if (searches) assume (from_ga == to_ga && from_ca == to_ca);
  end

  always_ff @(posedge clk) begin
    // P: after 15 clocks every walk has ended, so what holds until then holds for ever
    if (clocks_q == 15) assert (out == emcr_pkg::OWN);
    else                clocks_q <= clocks_q + 5'd1;
    begun_q <= 1;
    ca_q    <= ca;
    ga_q    <= ga;
    links_q <= links;
    zeros_q <= zeros;
    bank_q  <= bank;
    if (out != emcr_pkg::OWN) begin
      ca_q    <= next_ca;
      if (out == emcr_pkg::OUT_GROUP) ga_q <= flipped[7:1];
      links_q <= links + 5'd1;
      zeros_q <= zeros + {1'b0, next_ca == 0};
      bank_q  <= next_bank;
      // P: a link leads to a group of the machine
      assert ({1'b0, flipped[7:1]} < 8'd1 << k && flipped[0] == ^flipped[7:1]);
      // P: a link at column c leaves bit s(c) of the difference of the two words 0 (step 1 of the argument)
      if (!searches) assert (!differ_next[bit_here]);
      // P: a link at column c leaves all other bits but s(c') as they are (step 2)
      assert (((differ ^ differ_next) & ~(8'd1 << bit_here) & ~(8'd1 << bit_next)) == 0);
      // P: the rank bank * (k + 1) + column grows on every link, so no circle of waits (step 4)
      assert (next_rank > rank);
      // P: three banks are enough: no fourth is entered (step 5)
      assert (next_bank < 3);
      // P: a packet takes at most 2k links (step 3)
      assert ({1'b0, links} < {1'b0, k, 1'b0} || searches);
      // P: an MLPE packet goes on for k + 1 links
      if (searches) assert (links <= {1'b0, k});
    end else begin
      // P: it ends only at its destination, and an MLPE packet at its own PE after exactly k + 1 links [003 §4.1]
      assert (ga == to_ga && ca == to_ca);
      if (searches) assert (links == {1'b0, k} + 5'd1);
    end
    // P: a packet enters column 0 at most twice, an MLPE packet once
    assert (zeros <= 2 && (!searches || zeros <= 1));
    // P: after k links the packet is in the group of its destination (step 3)
    if (!searches && links >= {1'b0, k}) assert (ga == to_ga);
  end
endmodule
