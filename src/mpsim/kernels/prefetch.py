"""Ask for memory before it is needed: sums by class lie in hundreds of megabytes, and each comes from far away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic


def _ends(builder: Any, array: Any, row: Any) -> list[Any]:
    """Addresses of the first and the last byte of a row: it may lie on two cache lines."""
    size = builder.extract_value(array.strides, 0)
    start = builder.gep(builder.bitcast(array.data, ir.IntType(8).as_pointer()), [builder.mul(size, row)])
    return [start, builder.gep(start, [builder.sub(size, ir.Constant(size.type, 1))])]


def _fetch(builder: Any, address: Any) -> None:
    flag = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    to_write, near, data = (ir.Constant(flag, value) for value in (1, 3, 1))
    builder.call(function, [address, to_write, near, data])


def _prefetch_jit() -> Callable[[Any, Any], None]:
    @intrinsic
    def prefetch(context: Any, array: Any, row: Any) -> Any:
        def build(ctx: Any, builder: Any, signature: Any, args: Any) -> Any:
            what = ctx.make_array(signature.args[0])(ctx, builder, value=args[0])
            for address in _ends(builder, what, args[1]):
                _fetch(builder, address)
            return ctx.get_dummy_value()

        return types.void(array, types.int64), build

    return prefetch  # type: ignore[no-any-return]


prefetch = (lambda array, row: None) if config.DISABLE_JIT else _prefetch_jit()
"""Fetch a row of an array, of no more than a cache line's 64 bytes, to be written soon."""
