// The switching unit with reservations (TIMING.md "A reservation"): how long a packet waits. Room that was taken opens again
// within WAIT clocks; when, and what comes meanwhile, is free.
module fair_bench (
    input logic clk
);
  localparam logic [5:0] WAIT = 6'd3;

  emcr_pkg::cfg_t cfg;
  (* anyconst *) logic [2:0]    slot;
  (* anyseq *) logic [1:0]      rx_comes;
  (* anyseq *) logic [1:0]      rx_bank0, rx_bank1;
  (* anyseq *) emcr_pkg::word_t rx_word0, rx_word1, any_word;
  (* anyseq *) logic [2:0]      fill_ok0, fill_ok1;
  (* anyseq *) logic            offers, intake_free;

  logic             rst, offered, offer_granted, to_intake, to_host;
  logic [1:0]       rx_valid, tx_valid, tx_bank0, tx_bank1;
  emcr_pkg::word_t  tx_word0, tx_word1, offered_word, port_data, own_word;
  logic [2:0]       rx_fill_ok0, rx_fill_ok1;
  logic [3:0]       load;
  logic [13*64-1:0] probe;

  su unit (.*);

  // The PE [0,0] of 12: its switch has an output for each value of one bit, and the host's. k = 2.
  always_comb begin
    cfg       = '0;
    cfg.k     = 4'd2;
    cfg.hop   = 4'd2;
    cfg.bank  = 5'd2;
    cfg.banks = 2'd3;
    cfg.fair  = 1'b1;
    load      = 4'd0;
    port_data = 39'd0;
  end

  logic begun_q = 0;
  always_ff @(posedge clk) begun_q <= 1;
  assign rst = !begun_q;

  // The links: a packet comes only into a bank that can be filled, and takes two clocks.
  logic [1:0] second_q;
  assign rx_valid[0] = begun_q && rx_comes[0] && !second_q[0] && rx_bank0 != 3 && rx_fill_ok0[rx_bank0];
  assign rx_valid[1] = begun_q && rx_comes[1] && !second_q[1] && rx_bank1 != 3 && rx_fill_ok1[rx_bank1];
  always_ff @(posedge clk) second_q <= begun_q ? rx_valid : 2'b00;

  // The own port: a packet is offered until it is granted.
  logic            held_q;
  emcr_pkg::word_t word_q;
  assign offered      = begun_q && (held_q || offers);
  assign offered_word = held_q ? word_q : any_word;
  always_ff @(posedge clk) begin
    held_q <= begun_q && offered && !offer_granted;
    word_q <= offered_word;
  end

  // Room: closed from the clock after a packet was sent there, for WAIT clocks at most; then open until the next is sent.
  logic [6:0] open, sent;
  logic [5:0] closed_q [7];
  assign open = {intake_free, fill_ok1, fill_ok0};
  assign sent = {to_intake, tx_valid[1] && tx_bank1 == 2, tx_valid[1] && tx_bank1 == 1, tx_valid[1] && tx_bank1 == 0,
                 tx_valid[0] && tx_bank0 == 2, tx_valid[0] && tx_bank0 == 1, tx_valid[0] && tx_bank0 == 0};
  for (genvar r = 0; r < 7; r++) begin : rooms
    always_comb begin
      if (closed_q[r] == 0 || closed_q[r] > WAIT) assume (open[r]);
      if (closed_q[r] == 1)                       assume (!open[r]);
    end
    always_ff @(posedge clk)
      closed_q[r] <= rst ? 6'd0 : sent[r] ? 6'd1 : closed_q[r] == 0 || open[r] ? 6'd0 : closed_q[r] + 6'd1;
  end

  // For how many clocks a packet has had the reservation, and how many packets have had it while that of a slot waited.
  logic [6:0] here;
  logic       reserved;
  logic [2:0] reserved_slot;
  logic [5:0] kept_q, kept;
  logic [3:0] had_q, had;
  logic       waits_q;
  assign here = {offered, probe[64*5] && probe[64*5+1 +: 5] == 0, probe[64*4] && probe[64*4+1 +: 5] == 0, probe[64*3] && probe[64*3+1 +: 5] == 0,
                 probe[64*2] && probe[64*2+1 +: 5] == 0, probe[64] && probe[64+1 +: 5] == 0, probe[0] && probe[1 +: 5] == 0};
  assign reserved      = probe[64*12+19];
  assign reserved_slot = probe[64*12+16 +: 3];
  always_comb assume (slot != 7);
  logic [2:0] last_q;
  assign kept = !reserved ? 6'd0 : reserved_slot != last_q ? 6'd1 : kept_q + 6'd1;
  assign had  = !waits_q ? 4'd0 : had_q + {3'd0, had_q == 0 || kept == 1};
  always_ff @(posedge clk) begin
    kept_q  <= rst ? 6'd0 : kept;
    had_q   <= rst ? 4'd0 : had;
    waits_q <= !rst && here[slot] && !(slot == 6 && offer_granted);
    last_q  <= reserved_slot;
  end

  // The number of turns until the slot has the reservation; it has it at 0.
  logic [3:0] turns;
  assign turns = slot >= reserved_slot ? {1'b0, slot} - {1'b0, reserved_slot} : {1'b0, slot} + 4'd7 - {1'b0, reserved_slot};

  always_comb if (begun_q) begin
    // P: with room within W = 3 clocks a packet has the reservation for at most W + 2 clocks
    assert (kept <= WAIT + 2);
    // P: while a packet waits, at most six others have the reservation; so it waits at most 7(W + 2) clocks
    if (here[slot] && waits_q) assert (reserved && {1'b0, had} + {1'b0, turns} <= 7);
  end
endmodule
