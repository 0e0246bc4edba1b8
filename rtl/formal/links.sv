// The wires of the network (MACHINE.md "PEs and the network"), for every size: k = 1..7. What each output sends is free, so an input that
// always has it has it from nowhere else.
module links_bench (
    input logic clk
);
  for (genvar k = 1; k <= 7; k++) begin : sizes
    localparam int PES = (k + 1) << k;
    (* anyseq *) logic [2*PES-1:0]  tx_valid, tx_bank0, tx_bank1;
    (* anyseq *) logic [39*PES-1:0] tx_word0, tx_word1;
    (* anyseq *) logic [3*PES-1:0]  rx_fill_ok0, rx_fill_ok1;
    logic [2*PES-1:0]               rx_valid, rx_bank0, rx_bank1;
    logic [39*PES-1:0]              rx_word0, rx_word1;
    logic [3*PES-1:0]               fill_ok0, fill_ok1;

    links #(.K(k)) unit (
        .tx_valid(tx_valid), .tx_bank0(tx_bank0), .tx_bank1(tx_bank1), .tx_word0(tx_word0), .tx_word1(tx_word1),
        .fill_ok0(fill_ok0), .fill_ok1(fill_ok1), .rx_valid(rx_valid), .rx_bank0(rx_bank0), .rx_bank1(rx_bank1),
        .rx_word0(rx_word0), .rx_word1(rx_word1), .rx_fill_ok0(rx_fill_ok0), .rx_fill_ok1(rx_fill_ok1)
    );

    logic [PES-1:0] in_group, out_group, told;
    for (genvar g = 0; g < 1 << k; g++) begin : groups
      for (genvar c = 0; c <= k; c++) begin : members
        // W(g) is g with its parity as bit 0; column c looks at bit s(c).
        localparam int       NEXT  = c == k ? 0 : c + 1;
        localparam logic [7:0] HERE  = {g[6:0], ^g[6:0]};
        localparam logic [7:0] THERE = HERE ^ (8'd1 << (c == 0 ? 0 : k + 1 - c)) ^ (8'd1 << (NEXT == 0 ? 0 : k + 1 - NEXT));
        localparam int       FROM  = g * (k + 1) + c;
        localparam int       SAME  = g * (k + 1) + NEXT;
        localparam int       OTHER = THERE[7:1] * (k + 1) + NEXT;
        assign in_group[FROM]  = {rx_valid[2*SAME], rx_bank0[2*SAME +: 2], rx_word0[39*SAME +: 39]}
                              == {tx_valid[2*FROM], tx_bank0[2*FROM +: 2], tx_word0[39*FROM +: 39]};
        assign out_group[FROM] = {rx_valid[2*OTHER+1], rx_bank1[2*OTHER +: 2], rx_word1[39*OTHER +: 39]}
                              == {tx_valid[2*FROM+1], tx_bank1[2*FROM +: 2], tx_word1[39*FROM +: 39]};
        assign told[FROM]      = {fill_ok0[3*FROM +: 3], fill_ok1[3*FROM +: 3]} == {rx_fill_ok0[3*SAME +: 3], rx_fill_ok1[3*OTHER +: 3]};
      end
    end

    always_comb begin
      // P: the in-group output of [g,c] feeds the in-group input of [g,c'], c' = (c + 1) mod (k + 1), and nothing else does [003 §2; MACHINE]
      assert (&in_group);
      // P: its out-of-group output feeds the out-of-group input of the PE at c' for which W differs in the bits s(c) and s(c') [MACHINE]
      assert (&out_group);
      // P: each output is told which banks of its own input at the other end can be filled [MACHINE, Banks]
      assert (&told);
    end
  end
endmodule
