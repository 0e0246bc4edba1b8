// The integer ALU against table_pkg, which the test writes from the functions in Go: the results on single bits, put together here.
// Of mul and mulhu only the choice of the half is proven: a multiplier of 32 bits is beyond a solver.
module alu_bench;
  (* anyseq *) logic [5:0]      code;
  (* anyseq *) emcr_pkg::data_t a, b;
  emcr_pkg::data_t result, sum, difference, conjunction, disjunction, exclusive;
  logic            taken;

  alu unit (.*);

  logic carry, borrow, equal, differ, less, below;
  always_comb begin
    carry  = 1'b0;
    borrow = 1'b0;
    equal  = 1'b1;
    differ = 1'b0;
    less   = 1'b0;
    below  = 1'b0;
    for (int i = 0; i < 32; i++) begin
      {carry, sum[i]}         = table_pkg::add_bit({a[i], b[i], carry});
      {borrow, difference[i]} = table_pkg::sub_bit({a[i], b[i], borrow});
      conjunction[i]          = table_pkg::and_bit({a[i], b[i]});
      disjunction[i]          = table_pkg::or_bit({a[i], b[i]});
      exclusive[i]            = table_pkg::xor_bit({a[i], b[i]});
      equal                   = equal && table_pkg::beq_bit({a[i], b[i]});
      differ                  = differ || table_pkg::bne_bit({a[i], b[i]});
      if (a[i] != b[i]) begin
        less  = i == 31 ? table_pkg::blt_sign({a[i], b[i]}) : table_pkg::blt_bit({a[i], b[i]});
        below = i == 31 ? table_pkg::bltu_sign({a[i], b[i]}) : table_pkg::bltu_bit({a[i], b[i]});
      end
    end
  end

  logic [63:0] product;
  assign product = {32'd0, a} * {32'd0, b};

  always_comb begin
    // P: add, sub, and, or, xor, shl, shr and sar give what the functions in Go give, on all operands [ISA, Instructions]
    if (code == emcr_pkg::ADD) assert (result == sum);
    if (code == emcr_pkg::SUB) assert (result == difference);
    if (code == emcr_pkg::AND) assert (result == conjunction);
    if (code == emcr_pkg::OR) assert (result == disjunction);
    if (code == emcr_pkg::XOR) assert (result == exclusive);
    if (code == emcr_pkg::SHL) assert (result == table_pkg::shl(a, b[4:0]));
    if (code == emcr_pkg::SHR) assert (result == table_pkg::shr(a, b[4:0]));
    if (code == emcr_pkg::SAR) assert (result == table_pkg::sar(a, b[4:0]));
    // P: mul is the low half of the product, mulhu the high one
    if (code == emcr_pkg::MUL) assert (result == product[31:0]);
    if (code == emcr_pkg::MULHU) assert (result == product[63:32]);
    // P: of every other instruction the result is 0
    case (code)
      emcr_pkg::ADD, emcr_pkg::SUB, emcr_pkg::AND, emcr_pkg::OR, emcr_pkg::XOR, emcr_pkg::SHL, emcr_pkg::SHR, emcr_pkg::SAR, emcr_pkg::MUL, emcr_pkg::MULHU: ;
      default: assert (result == 32'd0);
    endcase
    // P: beq, bne, blt and bltu are taken as in Go, and no other instruction is, on all operands
    if (code == emcr_pkg::BEQ)       assert (taken == equal);
    else if (code == emcr_pkg::BNE)  assert (taken == differ);
    else if (code == emcr_pkg::BLT)  assert (taken == less);
    else if (code == emcr_pkg::BLTU) assert (taken == below);
    else                             assert (!taken);
  end
endmodule
