"""A network of one product of bytes, by which to see how a processor adds.

Processors without VNNI add two products of bytes in 16 bits. What does not fit is cut off.
"""

from __future__ import annotations

from quaid.embed.protobuf import field

UINT8, INT8, INT32 = 2, 3, 6


def network(weights: bytes, size: int) -> bytes:
    """An ONNX file that multiplies rows of bytes with a square of weights of int8."""
    node = field(1, b"rows") + field(1, b"weights") + field(2, b"sums") + field(4, b"MatMulInteger")
    table = field(1, size) * 2 + field(2, INT8) + field(8, b"weights") + field(9, weights)
    graph = field(1, node) + field(2, b"product") + field(5, table)
    graph += field(11, value("rows", UINT8, 2)) + field(12, value("sums", INT32, 2))
    return model(graph)


def model(graph: bytes) -> bytes:
    """The ONNX file of a graph."""
    return field(1, 8) + field(7, graph) + field(8, field(1, b"") + field(2, 13))


def value(name: str, kind: int, axes: int) -> bytes:
    """What goes into a graph or comes out of it."""
    shape = b"".join(field(1, field(2, f"axis{axis}".encode())) for axis in range(axes))
    return field(1, name.encode()) + field(2, field(1, field(1, kind) + field(2, shape)))
