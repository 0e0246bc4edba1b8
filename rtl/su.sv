// SU, the switching unit: two network inputs with three banks each, the own port, a 3x3 crossbar, and the
// comparison with MLPE packets that pass (TIMING.md "The switch"; paper, sections 2 and 4.1).
// A slot is a place that a packet leaves from: banks 0..2 of the in-group input are slots 0..2, those of
// the out-of-group input 3..5, the own port is slot 6.
module su (
    input  logic             clk,
    input  logic             rst,
    input  emcr_pkg::cfg_t   cfg,
    // network
    input  logic [1:0]       rx_valid,
    input  logic [1:0]       rx_bank0, rx_bank1,
    input  emcr_pkg::word_t  rx_word0, rx_word1,
    output logic [2:0]       rx_fill_ok0, rx_fill_ok1,
    output logic [1:0]       tx_valid,
    output logic [1:0]       tx_bank0, tx_bank1,
    output emcr_pkg::word_t  tx_word0, tx_word1,
    input  logic [2:0]       fill_ok0, fill_ok1,
    // own port, input side: the packet that is offered in this clock
    input  logic             offered,
    input  emcr_pkg::word_t  offered_word,   // its address word
    input  emcr_pkg::word_t  port_data,      // its data word, read in the clock after the grant
    output logic             offer_granted,
    // own port, output side: word by word to the intake or to the host
    input  logic             intake_free,
    output logic             to_intake, to_host,
    output emcr_pkg::word_t  own_word,
    // comparison with MLPE packets
    input  logic [3:0]       load,
    output logic [13*64-1:0] probe
);
  localparam logic [2:0] OWN_SLOT = 3'd6;

  // Registers: who was served last (round robin), and what crosses in the clock after a grant.
  logic [1:0] last_bank_q [2];
  logic [1:0] last_input_q [3];
  logic [2:0] output_busy_q, input_busy_q;  // the data word is on its way
  logic [2:0] leaving_q [3];                // the slot that an output's data word comes from
  logic [1:0] passes_q;                     // ... and whether it is an MLPE packet to be compared
  logic [3:0] load_q;                       // the load in the clock of the grant

  logic       reserved_q;                   // room is kept for a packet
  logic [2:0] reserved_slot_q;              // ... in this slot, or was last
  logic [1:0] reserved_input;
  assign reserved_input = reserved_slot_q == OWN_SLOT ? emcr_pkg::OWN : {1'b0, reserved_slot_q >= 3'd3};

  // ---- Slots ----

  logic [6:0]      arrived;        // the slot has a packet that may be arbitrated
  logic [1:0]      route [7];      // ... the output that it takes
  emcr_pkg::word_t address [7];
  emcr_pkg::word_t data [7];
  logic [5:0]      fill, taken, fillable;

  // A packet's output is worked out as it comes in.
  logic [1:0] rx_route0, rx_route1;
  assign rx_route0 = emcr_pkg::route(rx_word0, cfg.ga, cfg.ca, cfg.k);
  assign rx_route1 = emcr_pkg::route(rx_word1, cfg.ga, cfg.ca, cfg.k);

  for (genvar s = 0; s < 6; s++) begin : banks
    localparam logic [1:0] NUMBER = 2'(s % 3);
    assign fill[s] = s < 3 ? rx_valid[0] && rx_bank0 == NUMBER : rx_valid[1] && rx_bank1 == NUMBER;
    bank bank_i (
        .clk, .rst, .cfg,
        .fill(fill[s]), .word(s < 3 ? rx_word0 : rx_word1), .word_route(s < 3 ? rx_route0 : rx_route1),
        .taken(taken[s]), .fillable(fillable[s]), .arrived(arrived[s]),
        .route(route[s]), .address(address[s]), .data(data[s]),
        .probe_state(probe[64*s +: 64]), .probe_data(probe[64*(s+6) +: 64])
    );
  end

  assign rx_fill_ok0 = fillable[2:0];
  assign rx_fill_ok1 = fillable[5:3];

  // The own port. An MLPE packet of the EXU is the exception of the routing rule (paper, section 4.1).
  assign arrived[6] = offered;
  assign address[6] = offered_word;
  assign data[6]    = port_data;
  assign route[6]   = emcr_pkg::is_mlpe(offered_word) ? emcr_pkg::OUT_GROUP
                    : emcr_pkg::route(offered_word, cfg.ga, cfg.ca, cfg.k);

  // ---- Which packets can move ----

  // MACHINE.md "Banks": by slot, the bank at the next switch. The EXU's packet counts as one of bank 0.
  logic [1:0] next_bank [7];
  for (genvar s = 0; s < 7; s++) begin : next_banks
    localparam logic [1:0] NUMBER = 2'(s % 3);
    localparam logic [1:0] HIGHER = 2'(s % 3 == 2 ? 2 : s % 3 + 1);
    assign next_bank[s] = {1'b0, cfg.ca} == cfg.k && cfg.banks > HIGHER ? HIGHER : NUMBER;
  end

  logic [6:0] has_room, can_move;
  always_comb begin
    for (int s = 0; s < 7; s++) begin
      case (route[s])
        emcr_pkg::IN_GROUP:  has_room[s] = fill_ok0[next_bank[s]];
        emcr_pkg::OUT_GROUP: has_room[s] = fill_ok1[next_bank[s]];
        default:             has_room[s] = intake_free || emcr_pkg::for_host(address[s]);
      endcase
    end
    for (int s = 0; s < 7; s++) begin
      can_move[s] = arrived[s] && has_room[s] && !output_busy_q[route[s]]
                 && !(reserved_q && has_room[reserved_slot_q] && 3'(s) != reserved_slot_q
                      && (route[s] == route[reserved_slot_q] || 2'(s / 3) == reserved_input));
    end
  end

  // ---- Nomination: by input, whether it proposes a packet, which one, and to which output ----

  logic [2:0] proposed;
  logic [2:0] choice [3];
  logic [1:0] choice_route [3];

  assign proposed        = {can_move[6], |can_move[5:3], |can_move[2:0]} & ~input_busy_q;
  assign choice[0]       = {1'b0, emcr_pkg::in_turn(can_move[2:0], last_bank_q[0])};
  assign choice[1]       = {1'b0, emcr_pkg::in_turn(can_move[5:3], last_bank_q[1])} + 3'd3;
  assign choice[2]       = OWN_SLOT;
  assign choice_route[0] = route[choice[0]];
  assign choice_route[1] = route[choice[1]];
  assign choice_route[2] = route[6];

  // ---- Grant: by output, whether it serves an input, and which; by input, whether it is served ----

  logic [2:0] grant;
  logic [1:0] winner [3];
  logic [2:0] served;

  for (genvar o = 0; o < 3; o++) begin : outputs
    logic [2:0] wanted;
    assign wanted    = {proposed[2] && choice_route[2] == 2'(o),
                        proposed[1] && choice_route[1] == 2'(o),
                        proposed[0] && choice_route[0] == 2'(o)};
    assign grant[o]  = |wanted;
    assign winner[o] = emcr_pkg::in_turn(wanted, last_input_q[o]);
  end

  for (genvar i = 0; i < 3; i++) begin : inputs
    assign served[i] = grant[0] && winner[0] == 2'(i) || grant[1] && winner[1] == 2'(i)
                    || grant[2] && winner[2] == 2'(i);
  end

  for (genvar s = 0; s < 6; s++) begin : takes
    assign taken[s] = served[s / 3] && choice[s / 3] == 3'(s);
  end
  assign offer_granted = served[2];

  // ---- Reservation: the packet for which room is kept, the waiting ones in turn ----

  logic [6:0] waiting;
  logic [2:0] next_slot;
  assign waiting = arrived & ~{offer_granted, taken};

  always_comb begin
    next_slot = 3'd0;
    for (int s = 6; s >= 0; s--) if (waiting[s])                           next_slot = 3'(s);
    for (int s = 6; s >= 0; s--) if (waiting[s] && 3'(s) > reserved_slot_q) next_slot = 3'(s);
  end

  // ---- Transfer: the address word in the clock of the grant, the data word in the next ----

  // MACHINE.md "A packet": what becomes of the payload of an MLPE packet as it leaves a switch.
  emcr_pkg::word_t this_pe;
  assign this_pe = {7'd0, emcr_pkg::continuation(emcr_pkg::MATCH_ONE, cfg.ga, cfg.ca, {14'd0, load_q})};

  logic [2:0]      slot [3];      // the slot whose packet is granted the output
  emcr_pkg::word_t out_word [3];
  logic [1:0]      passes;        // it is an MLPE packet from one network port to another

  always_comb begin
    for (int o = 0; o < 3; o++) begin
      slot[o]     = choice[winner[o]];
      out_word[o] = 39'd0;
      if (grant[o])              out_word[o] = address[slot[o]];
      else if (output_busy_q[o]) out_word[o] = data[leaving_q[o]];
    end
    for (int o = 0; o < 2; o++) begin
      passes[o] = emcr_pkg::is_mlpe(out_word[o]) && winner[o] != emcr_pkg::OWN && cfg.compare;
      if (output_busy_q[o] && passes_q[o] && {5'd0, load_q} + {8'd0, cfg.strict} <= {1'b0, out_word[o][7:0]})
        out_word[o] = this_pe;
    end
  end

  assign tx_valid  = grant[1:0];
  assign tx_word0  = out_word[0];
  assign tx_word1  = out_word[1];
  assign tx_bank0  = next_bank[slot[0]];
  assign tx_bank1  = next_bank[slot[1]];
  assign own_word  = out_word[2];
  assign to_host   = grant[2] && emcr_pkg::for_host(own_word);
  assign to_intake = grant[2] && !emcr_pkg::for_host(own_word);

  always_ff @(posedge clk) begin
    output_busy_q <= grant;
    input_busy_q  <= served;
    for (int o = 0; o < 3; o++) begin
      leaving_q[o] <= slot[o];
      if (grant[o]) last_input_q[o] <= winner[o];
    end
    if (served[0]) last_bank_q[0] <= choice[0][1:0];
    if (served[1]) last_bank_q[1] <= 2'(choice[1] - 3'd3);
    if (cfg.fair && !(reserved_q && waiting[reserved_slot_q])) begin
      reserved_q <= |waiting;
      if (|waiting) reserved_slot_q <= next_slot;
    end
    passes_q <= passes;
    load_q   <= load;
    if (rst) begin
      output_busy_q   <= 3'b000;
      input_busy_q    <= 3'b000;
      reserved_q      <= 1'b0;
      reserved_slot_q <= 3'd0;
      for (int o = 0; o < 3; o++) last_input_q[o] <= 2'd0;
      for (int i = 0; i < 2; i++) last_bank_q[i] <= 2'd0;
    end
  end

  always_ff @(posedge clk) if (!rst) begin
    assert ((grant & output_busy_q) == 3'b000);                  // an output sends one packet at a time
    assert ((served & input_busy_q) == 3'b000);                  // and so does an input
    assert (!(grant[0] && grant[1] && winner[0] == winner[1]));  // an input is served by one output
    assert (!(grant[0] && grant[2] && winner[0] == winner[2]));
    assert (!(grant[1] && grant[2] && winner[1] == winner[2]));
    assert (!to_intake || intake_free);
    assert (!reserved_q || cfg.fair && arrived[reserved_slot_q]);  // room is kept for a packet that waits
  end

  assign probe[64*12 +: 64] = {44'd0, reserved_q, reserved_slot_q, input_busy_q, output_busy_q, last_input_q[2], last_input_q[1],
                               last_input_q[0], last_bank_q[1], last_bank_q[0]};
endmodule
