// The switching unit with its banks (TIMING.md "The switch"; paper 003, sections 2 and 4.1), every PE of every network up to k = 7,
// with one watched packet: any packet may be it. Neighbours keep the rules of the pins and do what they like otherwise. The unit only
// moves words: a mark in the address word, and one in the data word, stand for all of a packet.
module su_bench (
    input logic clk
);
  (* anyconst *) emcr_pkg::cfg_t cfg;
  (* anyseq *) logic [1:0]       rx_comes, pick;
  (* anyseq *) logic [1:0]       rx_bank0, rx_bank1;
  (* anyseq *) emcr_pkg::word_t  any0, any1, any2;
  (* anyseq *) logic [2:0]       fill_ok0, fill_ok1;
  (* anyseq *) logic             offers, pick_own, intake_free;
  (* anyseq *) logic [3:0]       load;

  logic            rst, offered, offer_granted, to_intake, to_host;
  logic [1:0]      rx_valid, tx_valid, tx_bank0, tx_bank1;
  emcr_pkg::word_t rx_word0, rx_word1, tx_word0, tx_word1, offered_word, port_data, own_word;
  logic [2:0]      rx_fill_ok0, rx_fill_ok1;
  logic [13*64-1:0] probe;

  su unit (.*);

  logic begun_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst = !begun_q;
  always_comb begin
    assume (cfg.k >= 1 && cfg.k <= 7 && {1'b0, cfg.ca} <= cfg.k && {1'b0, cfg.ga} < 8'd1 << cfg.k);
    assume (cfg.hop >= 2 && cfg.hop <= 5 && cfg.bank >= 2 && cfg.bank <= 4 && cfg.banks >= 1 && cfg.banks <= 3);
  end

  // The links: a packet comes only into a bank that can be filled, and takes two clocks.
  logic [1:0] second_q, mark, mark_q;
  logic       seen_q, own_mark_q, own_mark;
  assign rx_valid[0] = begun_q && rx_comes[0] && !second_q[0] && rx_bank0 != 3 && rx_fill_ok0[rx_bank0];
  assign rx_valid[1] = begun_q && rx_comes[1] && !second_q[1] && rx_bank1 != 3 && rx_fill_ok1[rx_bank1];
  assign mark[0]     = rx_valid[0] && pick[0] && !seen_q;
  assign mark[1]     = rx_valid[1] && pick[1] && !seen_q && !mark[0];
  assign rx_word0    = second_q[0] ? {38'd0, mark_q[0]} : {1'b0, any0[37:1], mark[0]};
  assign rx_word1    = second_q[1] ? {38'd0, mark_q[1]} : {1'b0, any1[37:1], mark[1]};
  always_ff @(posedge clk) begin
    second_q <= begun_q ? rx_valid : 2'b00;
    mark_q   <= mark;
  end

  // The own port: a packet is offered until it is granted; its data word is read in the clock after.
  logic            held_q, new_mark;
  emcr_pkg::word_t word_q;
  assign offered      = begun_q && (held_q || offers);
  assign new_mark     = offered && !held_q && pick_own && !seen_q && mark == 0;
  assign own_mark     = held_q ? own_mark_q : new_mark;
  assign offered_word = held_q ? word_q : {any2[38:1], own_mark};
  assign port_data    = {38'd0, own_mark_q};
  always_ff @(posedge clk) begin
    held_q     <= begun_q && offered && !offer_granted;
    word_q     <= offered_word;
    own_mark_q <= own_mark;
    seen_q     <= begun_q && (seen_q || mark != 0 || new_mark);
  end
  // Only the host's packets and those for it have bit 38; they find [0,0] by the ordinary rule.
  always_comb if (offered_word[38]) assume (offered_word[37:1] == 0);

  // What goes out, and whether the watched packet is among it.
  logic [2:0] out, out_mark, busy_q, out_mark_q, data_mark;
  assign out       = {to_intake || to_host, tx_valid};
  assign out_mark  = {out[2] && own_word[0], tx_valid[1] && tx_word1[0], tx_valid[0] && tx_word0[0]};
  assign data_mark = {own_word[0], tx_word1[0], tx_word0[0]};

  // Where the watched packet should go: from a bank where it was to go as it came in, from the own port where it is to go now.
  logic       left_q, at_port;
  logic [1:0] wants_q, wants;
  assign at_port = own_mark;
  assign wants   = !at_port ? wants_q : emcr_pkg::is_mlpe(offered_word) ? emcr_pkg::OUT_GROUP
                 : emcr_pkg::route(offered_word, cfg.ga, cfg.ca, cfg.k);
  always_ff @(posedge clk) begin
    if (mark[0])  wants_q <= emcr_pkg::route(rx_word0, cfg.ga, cfg.ca, cfg.k);
    if (mark[1])  wants_q <= emcr_pkg::route(rx_word1, cfg.ga, cfg.ca, cfg.k);
    left_q     <= begun_q && (left_q || out_mark != 0);
    busy_q     <= begun_q ? out : 3'd0;
    out_mark_q <= out_mark;
  end

  // Packets inside: the six banks.
  logic [2:0] inside_q;
  always_ff @(posedge clk) inside_q <= !begun_q ? 3'd0 : inside_q + {2'd0, rx_valid[0]} + {2'd0, rx_valid[1]}
    + {2'd0, offer_granted} - {2'd0, out[0]} - {2'd0, out[1]} - {2'd0, out[2]};

  always_comb if (begun_q) begin
    // P: a word goes only into a bank that can be filled [MACHINE, Banks]
    if (tx_valid[0]) assert (tx_bank0 != 3 && fill_ok0[tx_bank0]);
    if (tx_valid[1]) assert (tx_bank1 != 3 && fill_ok1[tx_bank1]);
    // P: a packet goes to the PE only if its intake is empty; never to the PE and the host at once [TIMING, Which packets can move]
    if (to_intake) assert (intake_free);
    assert (!(to_intake && to_host));
    // P: no output begins a packet in two clocks that follow each other: a packet is two words [003 §2]
    assert ((out & busy_q) == 0);
    // P: the own port's packet is granted only while it is offered
    if (offer_granted) assert (offered);
    // P: the packets in the six banks are those that came in less those that went out
    assert (inside_q == {2'd0, probe[0]} + {2'd0, probe[64]} + {2'd0, probe[128]} + {2'd0, probe[192]} + {2'd0, probe[256]} + {2'd0, probe[320]});
    // P: the watched packet leaves by the output that its address says (an MLPE packet of the EXU: out-of-group) [MACHINE, Routing; 003 §4.1]
    for (int o = 0; o < 3; o++) if (out_mark[o]) assert (wants == 2'(o));
    // P: it leaves once, never in two copies
    if (out_mark != 0) assert ((seen_q || new_mark) && !left_q && (out_mark & (out_mark - 3'd1)) == 0);
    if (own_mark && offer_granted) assert (out_mark != 0);
    // P: its data word follows it in the next clock, and no other's; without a comparison as it came
    for (int o = 0; o < 3; o++) if (busy_q[o] && (o == 2 || !cfg.compare)) assert (data_mark[o] == out_mark_q[o]);
    // P: a packet for [0,0] that is for the host goes to the host, and no other
    if (to_host || to_intake) assert (to_host == own_word[38]);
  end
endmodule
