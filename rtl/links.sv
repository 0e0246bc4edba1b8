// The circular omega network of (K+1) 2^K PEs: which pins of which switches a link connects (MACHINE.md "PEs and the
// network"). Nothing but wires. PE [g,c] has number (K+1) g + c, and of each vector of pins the part with that number.
module links #(
    parameter int K   = 4,
    parameter int PES = (K + 1) << K  // never another: Yosys reads no localparam here
) (
    input  logic [2*PES-1:0]  tx_valid,
    input  logic [2*PES-1:0]  tx_bank0, tx_bank1,
    input  logic [39*PES-1:0] tx_word0, tx_word1,
    output logic [3*PES-1:0]  fill_ok0, fill_ok1,
    output logic [2*PES-1:0]  rx_valid,
    output logic [2*PES-1:0]  rx_bank0, rx_bank1,
    output logic [39*PES-1:0] rx_word0, rx_word1,
    input  logic [3*PES-1:0]  rx_fill_ok0, rx_fill_ok1
);
  localparam int MEMBERS = K + 1;

  // s(c), the bit of W(g) that column c looks at.
  function automatic int column_bit(input int c);
    column_bit = c == 0 ? 0 : MEMBERS - c;
  endfunction

  // The group to which the out-of-group link of [g,c] leads: two bits of W(g) are flipped.
  function automatic int other_group(input int g, input int c);
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
      assign fill_ok0[3*FROM +: 3]    = rx_fill_ok0[3*NEXT0 +: 3];
      assign fill_ok1[3*FROM +: 3]    = rx_fill_ok1[3*NEXT1 +: 3];
      assign rx_valid[2*NEXT0]        = tx_valid[2*FROM];
      assign rx_valid[2*NEXT1 + 1]    = tx_valid[2*FROM + 1];
      assign rx_bank0[2*NEXT0 +: 2]   = tx_bank0[2*FROM +: 2];
      assign rx_bank1[2*NEXT1 +: 2]   = tx_bank1[2*FROM +: 2];
      assign rx_word0[39*NEXT0 +: 39] = tx_word0[39*FROM +: 39];
      assign rx_word1[39*NEXT1 +: 39] = tx_word1[39*FROM +: 39];
    end
  end
endmodule
