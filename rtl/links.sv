// The circular omega network of (K+1) 2^K PEs: which pins of which switches a link connects (MACHINE.md "PEs and the
// network"). Nothing but wires. PE [g,c] has number (K+1) g + c.
module links #(
    parameter int K = 4,
    localparam int MEMBERS = K + 1,
    localparam int PES = MEMBERS << K
) (
    input  logic [1:0]  tx_valid [PES],
    input  logic [1:0]  tx_bank0 [PES], tx_bank1 [PES],
    input  logic [38:0] tx_word0 [PES], tx_word1 [PES],
    output logic [2:0]  fill_ok0 [PES], fill_ok1 [PES],
    output logic [1:0]  rx_valid [PES],
    output logic [1:0]  rx_bank0 [PES], rx_bank1 [PES],
    output logic [38:0] rx_word0 [PES], rx_word1 [PES],
    input  logic [2:0]  rx_fill_ok0 [PES], rx_fill_ok1 [PES]
);
  // s(c), the bit of W(g) that column c looks at.
  function automatic int column_bit(int c);
    column_bit = c == 0 ? 0 : MEMBERS - c;
  endfunction

  // The group to which the out-of-group link of [g,c] leads: two bits of W(g) are flipped.
  function automatic int other_group(int g, int c);
    int flipped;
    flipped = 1 << column_bit(c) | 1 << column_bit((c + 1) % MEMBERS);
    other_group = g ^ flipped >> 1;
  endfunction

  for (genvar g = 0; g < 1 << K; g++) begin : groups
    for (genvar c = 0; c < MEMBERS; c++) begin : members
      localparam int FROM  = g * MEMBERS + c;
      localparam int TO    = (c + 1) % MEMBERS;
      localparam int NEXT0 = g * MEMBERS + TO;
      localparam int NEXT1 = other_group(g, c) * MEMBERS + TO;
      assign fill_ok0[FROM]     = rx_fill_ok0[NEXT0];
      assign fill_ok1[FROM]     = rx_fill_ok1[NEXT1];
      assign rx_valid[NEXT0][0] = tx_valid[FROM][0];
      assign rx_valid[NEXT1][1] = tx_valid[FROM][1];
      assign rx_bank0[NEXT0]    = tx_bank0[FROM];
      assign rx_bank1[NEXT1]    = tx_bank1[FROM];
      assign rx_word0[NEXT0]    = tx_word0[FROM];
      assign rx_word1[NEXT1]    = tx_word1[FROM];
    end
  end
endmodule
