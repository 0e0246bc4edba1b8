// The comparison with an MLPE packet that passes (paper 003, section 4.1; MACHINE.md "A packet"), with both rules for ties. Every packet
// carries the same payload, which is any, so that what leaves tells what the switch did to it. Bit 0 of an address word says that the
// packet comes from the network.
module mlpe_bench (
    input logic clk
);
  (* anyconst *) emcr_pkg::cfg_t cfg;
  (* anyconst *) logic [8:0]     low;         // the bits that are compared, and one that stands for the others
  (* anyseq *) logic [1:0]       rx_comes, rx_bank0, rx_bank1;
  (* anyseq *) logic [6:0]       kind0, kind1, kind2;
  (* anyseq *) logic [9:0]       to0, to1, to2;
  (* anyseq *) logic [2:0]       fill_ok0, fill_ok1;
  (* anyseq *) logic             offers, intake_free;
  (* anyseq *) logic [3:0]       load;

  logic [31:0]      payload;
  logic             rst, offered, offer_granted, to_intake, to_host;
  logic [1:0]       rx_valid, tx_valid, tx_bank0, tx_bank1;
  emcr_pkg::word_t  rx_word0, rx_word1, tx_word0, tx_word1, offered_word, port_data, own_word;
  logic [2:0]       rx_fill_ok0, rx_fill_ok1;
  logic [13*64-1:0] probe;

  su unit (.*);
  assign payload = {23'd0, low};

  logic begun_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst = !begun_q;
  always_comb begin
    assume (cfg.k == 2 && cfg.ca <= 2 && cfg.ga < 4);
    assume (cfg.hop == 3 && cfg.bank == 2 && cfg.banks == 3);
  end

  logic [1:0] second_q;
  assign rx_valid[0] = begun_q && rx_comes[0] && !second_q[0] && rx_bank0 != 3 && rx_fill_ok0[rx_bank0];
  assign rx_valid[1] = begun_q && rx_comes[1] && !second_q[1] && rx_bank1 != 3 && rx_fill_ok1[rx_bank1];
  assign rx_word0    = second_q[0] ? {7'd0, payload} : {1'b0, kind0, 3'd0, to0, 17'd0, 1'b1};
  assign rx_word1    = second_q[1] ? {7'd0, payload} : {1'b0, kind1, 3'd0, to1, 17'd0, 1'b1};
  always_ff @(posedge clk) second_q <= begun_q ? rx_valid : 2'b00;
  logic held_q;                               // an offer stays until it is granted
  always_ff @(posedge clk) held_q <= begun_q && offered && !offer_granted;
  assign offered      = begun_q && (held_q || offers);
  assign offered_word = {1'b0, kind2, 3'd0, to2, 18'd0};
  assign port_data    = {7'd0, payload};

  logic [2:0]      begun, begun_last_q;
  emcr_pkg::word_t word [3];
  logic [2:0]      passes_q;
  logic [3:0]      load_q;
  assign begun   = {to_intake || to_host, tx_valid};
  assign word[0] = tx_word0;
  assign word[1] = tx_word1;
  assign word[2] = own_word;
  always_ff @(posedge clk) begin
    begun_last_q <= begun_q ? begun : 3'd0;
    load_q       <= load;
    for (int o = 0; o < 3; o++) passes_q[o] <= begun[o] && o < 2 && word[o][37:31] == 7'd1 && word[o][0];
  end

  logic            smaller;
  emcr_pkg::word_t rewritten;
  assign smaller   = cfg.strict ? {4'd0, load_q} < payload[7:0] : {4'd0, load_q} <= payload[7:0];
  assign rewritten = {11'd0, cfg.ga, cfg.ca, 14'd0, load_q};

  always_comb if (begun_q) begin
    for (int o = 0; o < 3; o++) if (begun_last_q[o]) begin
      // P: a passing MLPE packet leaves with the smaller of its load and the PE's own, a tie going by mlpe_tie [003 §4.1]
      if (passes_q[o] && cfg.compare && smaller) assert (word[o] == rewritten);
      // P: every other payload leaves as it came: of other packets, at the start, at home, with the comparison off [003 §4.1]
      else assert (word[o] == {7'd0, payload});
    end
  end
endmodule
