// Single precision, IEEE 754: round to nearest even, subnormal numbers, and one NaN, 7fc00000.
// A sum, a product or an integer becomes 48 bits and the exponent that they have if their highest bit is 1;
// all three are then normalized, rounded and packed alike.
module fpu (
    input  logic            enable,   // a result is wanted in this clock; otherwise nothing moves in here
    input  logic [5:0]      code,
    input  emcr_pkg::data_t a, b,
    output emcr_pkg::data_t result,
    output logic            less      // fblt
);
  localparam emcr_pkg::data_t QUIET_NAN = 32'h7fc00000;

  // The operands: for fsub with the sign of b turned over. A subnormal number has the exponent 1 and no
  // leading 1 in its significand.
  logic        sign_a, sign_b, nan_a, nan_b, inf_a, inf_b, zero_a, zero_b;
  logic [7:0]  exp_a, exp_b;
  logic [23:0] sig_a, sig_b;

  assign sign_a = a[31];
  assign sign_b = b[31] ^ (code == emcr_pkg::FSUB);
  assign nan_a  = a[30:23] == 8'hff && a[22:0] != 23'd0;
  assign nan_b  = b[30:23] == 8'hff && b[22:0] != 23'd0;
  assign inf_a  = a[30:0] == 31'h7f800000;
  assign inf_b  = b[30:0] == 31'h7f800000;
  assign zero_a = a[30:0] == 31'd0;
  assign zero_b = b[30:0] == 31'd0;
  assign exp_a  = a[30:23] == 8'd0 ? 8'd1 : a[30:23];
  assign exp_b  = b[30:23] == 8'd0 ? 8'd1 : b[30:23];
  assign sig_a  = {a[30:23] != 8'd0, a[22:0]};
  assign sig_b  = {b[30:23] != 8'd0, b[22:0]};

  // ---- Sum, product, integer ----

  logic               swap, sign;
  logic [7:0]         apart;
  logic [47:0]        upper, lower, aligned, exact;
  logic signed [10:0] exponent;

  always_comb begin
    swap     = 1'b0;
    apart    = 8'd0;
    upper    = 48'd0;
    lower    = 48'd0;
    aligned  = 48'd0;
    exact    = 48'd0;
    exponent = 11'sd0;
    sign     = 1'b0;
    if (enable)
      case (code)
        emcr_pkg::FMUL: begin
          sign     = sign_a ^ sign_b;
          exact    = {24'd0, sig_a} * {24'd0, sig_b};
          exponent = $signed({3'b0, exp_a}) + $signed({3'b0, exp_b}) - 11'sd126;
        end
        emcr_pkg::ITOF: begin
          sign     = a[31];
          exact    = {a[31] ? -a : a, 16'd0};
          exponent = 11'sd158;
        end
        default: begin
          swap     = b[30:0] > a[30:0];
          upper    = {1'b0, swap ? sig_b : sig_a, 23'd0};
          lower    = {1'b0, swap ? sig_a : sig_b, 23'd0};
          apart    = swap ? exp_b - exp_a : exp_a - exp_b;
          aligned  = lower >> apart;
          // What is shifted out only has to be seen when rounding.
          if ((aligned << apart) != lower) aligned[0] = 1'b1;
          exact    = sign_a == sign_b ? upper + aligned : upper - aligned;
          exponent = $signed({3'b0, swap ? exp_b : exp_a}) + 11'sd1;
          // The difference of equal numbers is +0.
          sign     = exact == 48'd0 && sign_a != sign_b ? 1'b0 : swap ? sign_b : sign_a;
        end
      endcase
  end

  // ---- Normalize: to a highest bit of 1, or to the exponent of subnormal numbers ----

  logic [47:0]        normal, packed_bits;
  logic signed [10:0] exponent_n, below;

  always_comb begin
    normal      = exact;
    exponent_n  = exponent;
    below       = 11'sd0;
    packed_bits = 48'd0;
    if (enable) begin
      if (normal[47:16] == 32'd0) begin normal = normal << 32; exponent_n = exponent_n - 11'sd32; end
      if (normal[47:32] == 16'd0) begin normal = normal << 16; exponent_n = exponent_n - 11'sd16; end
      if (normal[47:40] == 8'd0)  begin normal = normal << 8;  exponent_n = exponent_n - 11'sd8;  end
      if (normal[47:44] == 4'd0)  begin normal = normal << 4;  exponent_n = exponent_n - 11'sd4;  end
      if (normal[47:46] == 2'd0)  begin normal = normal << 2;  exponent_n = exponent_n - 11'sd2;  end
      if (!normal[47])            begin normal = normal << 1;  exponent_n = exponent_n - 11'sd1;  end
      packed_bits = normal;
      if (exponent_n < 11'sd1) begin
        below       = 11'sd1 - exponent_n;
        packed_bits = normal >> below;
        if ((packed_bits << below) != normal) packed_bits[0] = 1'b1;
      end
    end
  end

  // ---- Round and pack ----

  logic        round_up;
  logic [30:0] magnitude;  // exponent and fraction; the carry of rounding up runs from one into the other

  assign round_up  = packed_bits[23] && (packed_bits[24] || packed_bits[22:0] != 23'd0);
  assign magnitude = {packed_bits[47] ? exponent_n[7:0] : 8'd0, packed_bits[46:24]} + {30'd0, round_up};

  always_comb begin
    if (code == emcr_pkg::ITOF)
      result = {sign, magnitude};
    else if (nan_a || nan_b)
      result = QUIET_NAN;
    else if (code == emcr_pkg::FMUL ? inf_a && zero_b || zero_a && inf_b : inf_a && inf_b && sign_a != sign_b)
      result = QUIET_NAN;
    else if (inf_a || inf_b)
      result = {code == emcr_pkg::FMUL ? sign : inf_a ? sign_a : sign_b, 31'h7f800000};
    else if (exponent_n >= 11'sd255 || magnitude[30:23] == 8'hff)
      result = {sign, 31'h7f800000};
    else
      result = {sign, magnitude};
  end

  // Signs and magnitudes compare like integers, but -0 equals +0.
  always_comb begin
    if (nan_a || nan_b || (zero_a && zero_b)) less = 1'b0;
    else if (a[31] != b[31])                  less = a[31];
    else if (a[31])                           less = a[30:0] > b[30:0];
    else                                      less = a[30:0] < b[30:0];
  end
endmodule
