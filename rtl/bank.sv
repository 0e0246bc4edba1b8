// One bank of a switch: room for one packet (TIMING.md "The switch", State).
// The timer counts the clocks until the packet may be arbitrated, in a full bank, or until the bank can be
// filled, in an empty one.
module bank (
    input  logic             clk,
    input  logic             rst,
    input  emcr_pkg::cfg_t   cfg,
    input  logic             fill,       // a packet's address word comes in this clock, its data word in the next
    input  emcr_pkg::word_t  word,       // from the link
    input  logic [1:0]       word_route,
    input  logic             taken,      // the packet is granted an output in this clock
    output logic             fillable,
    output logic             arrived,    // the packet may be arbitrated
    output logic [1:0]       route,
    output emcr_pkg::word_t  address,
    output emcr_pkg::word_t  data,
    output logic [63:0]      probe_state,
    output logic [63:0]      probe_data
);
  logic            full_q, both_q;      // both_q: the data word is here, too
  logic [4:0]      timer_q;
  logic [1:0]      route_q;
  emcr_pkg::word_t address_q, data_q;

  assign fillable = !full_q && timer_q == 5'd0;
  assign arrived  = full_q && timer_q == 5'd0;
  assign route    = route_q;
  assign address  = address_q;
  assign data     = data_q;

  always_ff @(posedge clk) begin
    if (rst) begin
      full_q  <= 1'b0;
      timer_q <= 5'd0;
    end else if (fill) begin
      full_q  <= 1'b1;
      timer_q <= {1'b0, cfg.hop} - 5'd1;
    end else if (taken) begin
      full_q  <= 1'b0;
      timer_q <= cfg.bank - 5'd1;
    end else if (timer_q != 5'd0) begin
      timer_q <= timer_q - 5'd1;
    end
    if (fill) begin
      address_q <= word;
      route_q   <= word_route;
      both_q    <= 1'b0;
    end else if (full_q && !both_q) begin
      data_q <= word;
      both_q <= 1'b1;
    end
  end

  always_ff @(posedge clk) if (!rst) begin
    assert (!fill || !full_q && timer_q == 5'd0);   // a packet comes only into a bank that can be filled
    assert (!taken || full_q && timer_q == 5'd0);   // and leaves once it is here
  end

  assign probe_state = {17'd0, full_q ? address_q : 39'd0, full_q ? route_q : 2'd0, timer_q, full_q};
  assign probe_data  = {25'd0, full_q && both_q ? data_q : 39'd0};

  logic unused;
  assign unused = &{1'b0, cfg};
endmodule
