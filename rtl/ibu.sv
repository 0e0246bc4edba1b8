// IBU, the input buffer unit: the FIFO on the chip and the MIB, its continuation in memory, with spill and
// refill between them (TIMING.md "The input buffer"; paper, sections 2 and 4.2).
module ibu #(
    parameter int FIFO_MAX = 64  // places of the FIFO, a power of two; the strap fifo_packets may use fewer
) (
    input  logic             clk,
    input  logic             rst,
    input  emcr_pkg::cfg_t   cfg,
    // intake
    input  logic             intake_full,
    input  emcr_pkg::word_t  intake_address,
    input  emcr_pkg::word_t  intake_data,
    output logic             consume,
    output logic             fill,        // it goes into the prefetch register
    // FMU: the oldest packet
    output logic             head_valid,
    output emcr_pkg::word_t  head_address,
    output emcr_pkg::word_t  head_data,
    input  logic             pop,
    // memory
    output logic             request,
    input  logic             port,
    output logic             mem_we,
    output emcr_pkg::addr_t  mem_addr,
    output emcr_pkg::word_t  mem_wdata,
    input  emcr_pkg::word_t  mem_rdata,
    // for the load value
    output logic [7:0]       fifo_count,
    output logic [16:0]      mib_count,
    output logic             overflow,
    output logic [3*64-1:0]  probe
);
  localparam int PLACE = $clog2(FIFO_MAX);

  typedef enum logic [1:0] { NONE, SPILL, REFILL } transfer_t;

  // Two words a packet; a refill writes them in different clocks.
  emcr_pkg::word_t  fifo_address_q [FIFO_MAX];
  emcr_pkg::word_t  fifo_data_q [FIFO_MAX];
  logic [PLACE-1:0] first_q, free_q;     // oldest packet, next free place
  logic [7:0]       fifo_count_q, fifo_count_d;
  logic [16:0]      mib_count_q, mib_count_d;
  logic [16:0]      mib_first_q, mib_free_q;
  transfer_t        half_q;              // its first word is moved, its second is not
  logic             burst_q;

  // ---- What is due ----

  logic      fifo_full, fifo_empty, mib_full, mib_empty, queues, refill_due, spill_due;
  transfer_t wanted;

  assign fifo_full  = fifo_count_q == cfg.fifo_packets;
  assign fifo_empty = fifo_count_q == 8'd0;
  assign mib_full   = mib_count_q == cfg.mib_packets;
  assign mib_empty  = mib_count_q == 17'd0;
  assign refill_due = !mib_empty && (fifo_empty || burst_q);
  // A packet for the prefetch register goes past FIFO and MIB.
  assign fill       = intake_full && emcr_pkg::fills_prefetch(intake_address);
  assign queues     = intake_full && !fill;
  assign spill_due  = queues && (!mib_empty || fifo_full);

  always_comb begin
    overflow = 1'b0;
    wanted   = NONE;
    if (half_q != NONE)                                                 wanted = half_q;
    else if (refill_due && (cfg.refill_blocks_intake || !spill_due))    wanted = REFILL;
    else if (spill_due && !mib_full)                                    wanted = SPILL;
    else if (refill_due)                                                wanted = REFILL;
    else                                                                overflow = spill_due;
  end
  assign request = wanted != NONE;

  // ---- What is done ----

  logic second, spilled, refilled, take;
  assign second   = half_q != NONE;
  assign spilled  = port && second && wanted == SPILL;
  assign refilled = port && second && wanted == REFILL;
  // Arrival order is strict: a packet goes past the MIB only while that is empty.
  assign take     = queues && mib_empty && !fifo_full && half_q == NONE;
  assign consume  = take || spilled || fill;

  assign mem_we    = wanted == SPILL;
  assign mem_addr  = cfg.mib_base + {wanted == SPILL ? mib_free_q : mib_first_q, second};
  assign mem_wdata = second ? intake_data : intake_address;

  assign fifo_count_d = fifo_count_q + {7'd0, take || refilled} - {7'd0, pop};
  assign mib_count_d  = mib_count_q + {16'd0, spilled} - {16'd0, refilled};

  function automatic logic [16:0] ring_next(input logic [16:0] n, input logic [16:0] size);
    ring_next = n + 17'd1 == size ? 17'd0 : n + 17'd1;
  endfunction

  always_ff @(posedge clk) begin
    fifo_count_q <= fifo_count_d;
    mib_count_q  <= mib_count_d;
    if (port)     half_q      <= second ? NONE : wanted;
    if (spilled)  mib_free_q  <= ring_next(mib_free_q, cfg.mib_packets);
    if (refilled) mib_first_q <= ring_next(mib_first_q, cfg.mib_packets);
    if (take || refilled) free_q <= free_q + 1'd1;
    if (pop)      first_q <= first_q + 1'd1;
    // A burst begins with the first word of a refill and ends with the second word of one.
    if (port && wanted == REFILL)
      burst_q <= cfg.burst_refill && !(second && (mib_count_d == 17'd0 || fifo_count_d == cfg.fifo_packets));
    if (rst) begin
      fifo_count_q <= 8'd0;
      mib_count_q  <= 17'd0;
      half_q       <= NONE;
      mib_free_q   <= 17'd0;
      mib_first_q  <= 17'd0;
      free_q       <= '0;
      first_q      <= '0;
      burst_q      <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    if (take || (port && wanted == REFILL && !second)) fifo_address_q[free_q] <= take ? intake_address : mem_rdata;
    if (take || refilled)                              fifo_data_q[free_q]    <= take ? intake_data : mem_rdata;
  end

  always_ff @(posedge clk) if (!rst) begin
    assert (fifo_count_q <= cfg.fifo_packets && mib_count_q <= cfg.mib_packets);
    assert (free_q - first_q == fifo_count_q[PLACE-1:0]);   // the FIFO's packets are those between its pointers
    assert ({1'b0, mib_first_q} + {1'b0, mib_count_q} == {1'b0, mib_free_q} + (mib_free_q < mib_first_q || mib_full ? {1'b0, cfg.mib_packets} : 18'd0));
    assert (mib_empty || mib_first_q < cfg.mib_packets && mib_free_q < cfg.mib_packets);
    assert (!pop || head_valid);
    assert (!port || request);
    assert (!(take && refilled));                            // one packet a clock goes into the FIFO
    assert (!(take || refilled) || !fifo_full);
    assert (half_q != SPILL || queues && !mib_full);         // a transfer can go on once it has begun
    assert (half_q != REFILL || !mib_empty && !fifo_full);
    assert (!burst_q || !mib_empty && !fifo_full);           // and a burst with the next
  end

  assign head_valid   = !fifo_empty;
  assign head_address = fifo_address_q[first_q];
  assign head_data    = fifo_data_q[first_q];
  assign fifo_count   = fifo_count_q;
  assign mib_count    = mib_count_q;

  assign probe = {25'd0, head_valid ? head_data : 39'd0, 25'd0, head_valid ? head_address : 39'd0,
                  31'd0, burst_q, half_q, mib_count_q, 5'd0, fifo_count_q};

  logic unused;
  assign unused = &{1'b0, cfg};
endmodule
