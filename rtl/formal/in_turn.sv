// The round robin of the switch (emcr_pkg::in_turn), and what "in turn" is worth: who asks without interruption is served.
module in_turn_bench (
    input logic clk
);
  (* anyseq *) logic [2:0] offered;
  (* anyseq *) logic       grant;
  (* anyseq *) logic [1:0] last;
  (* anyconst *) logic [1:0] watched;

  logic [1:0] chosen, first, second;
  assign chosen = emcr_pkg::in_turn(offered, last);
  assign first  = last == 0 ? 2'd1 : last == 1 ? 2'd2 : 2'd0;
  assign second = last == 0 ? 2'd2 : last == 1 ? 2'd0 : 2'd1;

  always_comb begin
    assume (last != 3);
    // P: the one chosen is offered, whenever one is
    if (offered != 0) assert (offered[chosen]);
    // P: it is the first offered of last + 1, last + 2, last [TIMING, Nomination]
    if (offered[first])       assert (chosen == first);
    else if (offered[second]) assert (chosen == second);
  end

  // The register as the switch keeps it: who was served last.
  logic [1:0] last_q = 0, overtaken_q = 0, served;
  assign served = emcr_pkg::in_turn(offered, last_q);
  always_comb assume (watched != 3);
  always_ff @(posedge clk) begin
    if (grant && offered != 0) last_q <= served;
    if (!offered[watched] || grant && served == watched) overtaken_q <= 0;
    else if (grant) overtaken_q <= overtaken_q + 1;
    // P: who asks without interruption is overtaken at most twice (weak fairness, derived)
    assert (overtaken_q <= 2);
  end
endmodule
