// Results of the instructions that need neither memory nor clocks of their own, of mul and mulhu, and whether
// a branch on integers is taken (ISA.md).
module alu (
    input  logic [5:0]      code,
    input  emcr_pkg::data_t a, b,
    output emcr_pkg::data_t result,
    output logic            taken
);
  logic [63:0] product;

  always_comb begin
    product = 64'd0;
    case (code)
      emcr_pkg::ADD: result = a + b;
      emcr_pkg::SUB: result = a - b;
      emcr_pkg::AND: result = a & b;
      emcr_pkg::OR:  result = a | b;
      emcr_pkg::XOR: result = a ^ b;
      emcr_pkg::SHL: result = a << b[4:0];
      emcr_pkg::SHR: result = a >> b[4:0];
      emcr_pkg::SAR: result = $signed(a) >>> b[4:0];
      emcr_pkg::MUL, emcr_pkg::MULHU: begin
        product = {32'd0, a} * {32'd0, b};
        result  = code == emcr_pkg::MUL ? product[31:0] : product[63:32];
      end
      default: result = 32'd0;
    endcase
  end

  always_comb begin
    case (code)
      emcr_pkg::BEQ:  taken = a == b;
      emcr_pkg::BNE:  taken = a != b;
      emcr_pkg::BLT:  taken = $signed(a) < $signed(b);
      emcr_pkg::BLTU: taken = a < b;
      default:        taken = 1'b0;
    endcase
  end
endmodule
