"""Bit idioms on machine words: one idiom, one function.

A word is `uint32` (four suit fields of 8 bits) or `uint64` (four fields of 16).  numba widens 32-bit arithmetic to 64
bits, which halves the lanes, so width-sensitive idioms are intrinsics that keep the type of their argument, and every
other result is cast by the word type `W` of the state at hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

from mpsim.kernels import lane_function


def _word_op(build: Callable[[Any, Any], Any], plain: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A word -> word function: LLVM built by `build`, or `plain` when numba is switched off."""
    if config.DISABLE_JIT:
        return lambda x: type(x)(plain(int(x)) & ((1 << 8 * x.itemsize) - 1))

    @intrinsic
    def operation(context: Any, x: Any) -> Any:
        return x(x), lambda ctx, builder, signature, args: build(builder, args[0])

    return operation  # type: ignore[no-any-return]


def _one(x: Any) -> Any:
    return ir.Constant(x.type, 1)


def _top(builder: Any, x: Any) -> Any:
    """The highest set bit; of 0 the lowest bit of the word, which callers mask away."""
    width = x.type.width
    zeros = builder.ctlz(builder.or_(x, _one(x)), ir.Constant(ir.IntType(1), 0))
    return builder.lshr(ir.Constant(x.type, 1 << width - 1), zeros)


def _position(builder: Any, x: Any) -> Any:
    zeros = builder.ctlz(builder.or_(x, _one(x)), ir.Constant(ir.IntType(1), 0))
    return builder.sub(ir.Constant(x.type, x.type.width - 1), zeros)


popcount = _word_op(lambda b, x: b.ctpop(x), lambda x: x.bit_count())
"""How many bits are set."""
lowest = _word_op(lambda b, x: b.and_(x, b.neg(x)), lambda x: x & -x)
"""The lowest set bit; 0 of 0."""
highest = _word_op(_top, lambda x: 1 << (x | 1).bit_length() - 1)
"""The highest set bit; 1 of 0."""
position = _word_op(_position, lambda x: (x | 1).bit_length() - 1)
"""The number of the highest set bit; 0 of 0."""
above = _word_op(lambda b, x: b.neg(b.shl(x, _one(x))), lambda x: -(x << 1))
"""All bits above the single bit x."""
inverse = _word_op(lambda b, x: b.not_(x), lambda x: ~x)
"""All bits not in x."""
rest = _word_op(lambda b, x: b.and_(x, b.sub(x, _one(x))), lambda x: x & x - 1)
"""x without its lowest set bit."""


def _two_word_op(build: Callable[[Any, Any, Any], Any], plain: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    """An operation on two words that stays in the word: numba's own would widen it to 64 bits."""
    if config.DISABLE_JIT:
        return lambda x, n: type(x)(plain(int(x), int(n)) & ((1 << 8 * x.itemsize) - 1))

    @intrinsic
    def operation(context: Any, x: Any, n: Any) -> Any:
        return x(x, x), lambda ctx, builder, signature, args: build(builder, *args)

    return operation  # type: ignore[no-any-return]


up = _two_word_op(lambda b, x, n: b.shl(x, n), lambda x, n: x << n)
"""x shifted up by n bits, 0 <= n < width."""
down = _two_word_op(lambda b, x, n: b.lshr(x, n), lambda x, n: x >> n)
"""x shifted down by n bits, 0 <= n < width."""


def _high_product(builder: Any, x: Any, y: Any) -> Any:
    wide = ir.IntType(2 * x.type.width)
    product = builder.mul(builder.zext(x, wide), builder.zext(y, wide))
    return builder.trunc(builder.lshr(product, ir.Constant(wide, x.type.width)), x.type)


times = _two_word_op(lambda b, x, y: b.mul(x, y), lambda x, y: x * y)
"""The lower word of a product."""
times_high = _two_word_op(_high_product, lambda x, y: x * y >> 32)
"""The upper word of a product."""


def _select_jit() -> Callable[[Any, Any, Any], Any]:
    @intrinsic
    def select(context: Any, flag: Any, x: Any, y: Any) -> Any:
        return x(types.boolean, x, x), lambda ctx, builder, signature, args: builder.select(*args)

    return select  # type: ignore[no-any-return]


select = (lambda flag, x, y: x if flag else y) if config.DISABLE_JIT else _select_jit()
"""x where the flag holds, else y, both worked out: unlike a conditional expression never a branch."""


@lane_function
def nth_of_four(W, cards, n):
    """The n-th of at most four cards, 0 the lowest, by the lower two bits of n: pass over two cards, then over one."""
    cards = select(W(n & W(2)) != W(0), rest(rest(cards)), cards)
    cards = select(W(n & W(1)) != W(0), rest(cards), cards)
    return lowest(cards)


@lane_function
def nth_of_eight(W, cards, n):
    """The n-th of at most eight cards, 0 the lowest, n < popcount."""
    return nth_of_four(W, select(W(n & W(4)) != W(0), rest(rest(rest(rest(cards)))), cards), n)


@lane_function
def nth_of_sixteen(W, cards, n):
    """The n-th of at most sixteen cards, 0 the lowest, n < popcount."""
    without_four = rest(rest(rest(rest(cards))))
    return nth_of_eight(W, select(W(n & W(8)) != W(0), rest(rest(rest(rest(without_four)))), cards), n)


@lane_function
def nth_of_hand(state, W, cards, n):
    """The n-th card of a full hand in the state's words."""
    return nth_of_eight(W, cards, n) if state.itemsize == 4 else nth_of_sixteen(W, cards, n)


def _attributes_jit(*names: str) -> Callable[[], None]:
    """A call that only gives the function it stands in these LLVM attributes, and lets no two of its arrays overlap."""

    @intrinsic
    def marker(context: Any) -> Any:
        def build(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
            for name in names:
                set.add(builder.function.attributes, name)  # llvmlite's own add() knows no attributes with a value
            for argument in builder.function.args:
                if argument.name.startswith("arg.") and isinstance(argument.type, ir.PointerType):
                    argument.add_attribute("noalias")
            return ctx.get_dummy_value()

        return types.none(), build

    return marker  # type: ignore[no-any-return]


_WIDE = '"prefer-vector-width"="512"'

wide_vectors = (lambda: None) if config.DISABLE_JIT else _attributes_jit(_WIDE)
"""Called first in an inlined function with a loop: let LLVM use the widest vectors there are, not stay at 256 bits."""
vector_code = (lambda: None) if config.DISABLE_JIT else _attributes_jit(_WIDE, "noinline")
"""Called first in a kernel with a loop: the same, and stay a function of one's own.

Inlined into one large body, loops lose their vector code to failed alias checks.  Arrays that are arguments must not
overlap where one is written to: LLVM then looks up entries of a table for many lanes at once.
"""
