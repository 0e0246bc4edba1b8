// The registers between switch and PE (MACHINE.md "The pins between SU and PE"): the port register, which the
// EXU or, at [0,0], the host fills, and the intake register, which the IBU empties.
module port (
    input  logic            clk,
    input  logic            rst,
    input  emcr_pkg::cfg_t  cfg,
    // EXU: the address word with put, the data word in the clock after
    input  logic            put,
    input  emcr_pkg::word_t put_word,
    output logic            room,
    // host: both words at once
    input  logic            host_in_valid,
    input  logic [77:0]     host_in_word,
    output logic            host_in_taken,
    // to the switch
    output logic            offered,
    output emcr_pkg::word_t offered_word,
    output emcr_pkg::word_t port_data,
    input  logic            offer_granted,
    // from the switch, word by word
    input  logic            to_intake,
    input  emcr_pkg::word_t own_word,
    output logic            intake_free,
    // IBU: a packet of which both words are here
    output logic            intake_full,
    output emcr_pkg::word_t intake_address,
    output emcr_pkg::word_t intake_data,
    input  logic            consume,
    output logic [4*64-1:0] probe
);
  logic            out_full_q, out_both_q;  // both: the data word is here, too
  logic [3:0]      out_timer_q;
  emcr_pkg::word_t out_address_q, out_data_q;
  logic            in_full_q, in_both_q;
  emcr_pkg::word_t in_address_q, in_data_q;

  // The host comes before everything else, and its packet can be granted in the clock in which it enters
  // (TIMING.md "The switch").
  assign host_in_taken = host_in_valid && !out_full_q;
  assign room          = !host_in_valid && !out_full_q;
  assign offered       = out_full_q ? out_timer_q == 4'd0 : host_in_valid;
  assign offered_word  = out_full_q ? out_address_q : host_in_word[77:39];
  assign port_data     = out_data_q;

  always_ff @(posedge clk) begin
    if (host_in_taken) begin
      out_full_q    <= !offer_granted;
      out_both_q    <= 1'b1;
      out_timer_q   <= 4'd0;
      out_address_q <= host_in_word[77:39];
      out_data_q    <= host_in_word[38:0];
    end else if (put) begin
      out_full_q    <= 1'b1;
      out_both_q    <= 1'b0;
      out_timer_q   <= cfg.inject - 4'd1;
      out_address_q <= put_word;
    end else if (out_full_q) begin
      out_full_q <= !offer_granted;
      out_both_q <= 1'b1;
      if (!out_both_q) out_data_q <= put_word;
      if (out_timer_q != 4'd0) out_timer_q <= out_timer_q - 4'd1;
    end
    if (rst) out_full_q <= 1'b0;
  end

  // Store and forward: the IBU may use a packet once both words are in the register (TIMING.md "The input buffer").
  assign intake_free    = !in_full_q;
  assign intake_full    = in_full_q && in_both_q;
  assign intake_address = in_address_q;
  assign intake_data    = in_data_q;

  always_ff @(posedge clk) begin
    if (to_intake) begin
      in_full_q    <= 1'b1;
      in_both_q    <= 1'b0;
      in_address_q <= own_word;
    end else if (in_full_q) begin
      in_full_q <= !consume;
      in_both_q <= 1'b1;
      if (!in_both_q) in_data_q <= own_word;
    end
    if (rst) in_full_q <= 1'b0;
  end

  always_ff @(posedge clk) if (!rst) begin
    assert (!put || room);                   // no packet is put onto another
    assert (!to_intake || !in_full_q);
    assert (!consume || in_full_q);
    assert (!offer_granted || offered);
  end

  assign probe = {25'd0, in_full_q && in_both_q ? in_data_q : 39'd0,
                  23'd0, in_full_q ? in_address_q : 39'd0, in_full_q && in_both_q, in_full_q,
                  25'd0, out_full_q && out_both_q ? out_data_q : 39'd0,
                  20'd0, out_full_q ? out_address_q : 39'd0, out_full_q ? out_timer_q : 4'd0, out_full_q};

  logic unused;
  assign unused = &{1'b0, cfg};
endmodule
