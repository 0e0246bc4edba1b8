// The switch of a PE without the PE, for tests of a network of switches alone. The test plays the EXU, which
// offers packets, and the IBU, which consumes them.
module switch_node (
    input  logic             clk,
    input  logic             rst,
    input  emcr_pkg::cfg_t   cfg,
    output logic [1:0]       tx_valid,
    output logic [1:0]       tx_bank0, tx_bank1,
    output logic [38:0]      tx_word0, tx_word1,
    input  logic [2:0]       fill_ok0, fill_ok1,
    input  logic [1:0]       rx_valid,
    input  logic [1:0]       rx_bank0, rx_bank1,
    input  logic [38:0]      rx_word0, rx_word1,
    output logic [2:0]       rx_fill_ok0, rx_fill_ok1,
    input  logic             offer_valid,
    input  logic [77:0]      offer_word,
    input  logic             consume,
    input  logic [3:0]       load,
    input  logic             host_in_valid,
    input  logic [77:0]      host_in_word0,
    output logic             host_in_taken,
    output logic             host_out_valid,
    output logic [38:0]      host_out_word,
    output logic [37*64-1:0] probe
);
  logic            offered, offer_granted, to_intake;
  emcr_pkg::word_t offered_word, port_data, own_word;

  // The port takes the words of an EXU's packet one after the other.
  emcr_pkg::word_t second_q;
  always_ff @(posedge clk) second_q <= offer_word[38:0];

  logic            intake_free, intake_full, room;
  emcr_pkg::word_t intake_address, intake_data;

  port port_i (
      .clk, .rst, .cfg,
      .put(offer_valid), .put_word(offer_valid ? offer_word[77:39] : second_q), .room,
      .host_in_valid, .host_in_word(host_in_word0), .host_in_taken,
      .offered, .offered_word, .port_data, .offer_granted,
      .to_intake, .own_word,
      .intake_free, .intake_full, .intake_address, .intake_data, .consume,
      .probe(probe[64*13 +: 4*64])
  );

  su su_i (
      .clk, .rst, .cfg,
      .rx_valid, .rx_bank0, .rx_bank1, .rx_word0, .rx_word1, .rx_fill_ok0, .rx_fill_ok1,
      .tx_valid, .tx_bank0, .tx_bank1, .tx_word0, .tx_word1, .fill_ok0, .fill_ok1,
      .offered, .offered_word, .port_data, .offer_granted,
      .intake_free, .to_intake, .to_host(host_out_valid), .own_word,
      .load, .probe(probe[0 +: 13*64])
  );

  assign host_out_word       = own_word;
  assign probe[64*37-1:64*17] = '0;

  logic unused;
  assign unused = &{1'b0, room, intake_full, intake_address, intake_data};
endmodule
