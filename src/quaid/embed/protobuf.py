"""Fields of protocol buffers, of which ONNX files consist: each has a number, and a length or a value."""

from __future__ import annotations

from collections.abc import Iterator


def fields(message: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """The fields of a message: number, content and all of it."""
    place = 0
    while place < len(message):
        begin = place
        key, place = _varint(message, place)
        if key & 7 == 2:
            size, place = _varint(message, place)
            end = place + size
        else:
            end = {1: place + 8, 5: place + 4}.get(key & 7) or _varint(message, place)[1]
        yield key >> 3, message[place:end], message[begin:end]
        place = end


def field(number: int, content: int | bytes) -> bytes:
    """A field of a number, or of bytes."""
    if isinstance(content, int):
        return _octets(number << 3) + _octets(content)
    return _octets(number << 3 | 2) + _octets(len(content)) + content


def _varint(message: bytes, place: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    number = shift = 0
    while True:
        number |= (message[place] & 127) << shift
        place, shift = place + 1, shift + 7
        if message[place - 1] < 128:
            return number, place


def _octets(number: int) -> bytes:
    octets = bytearray()
    while number > 127:
        octets.append(number & 127 | 128)
        number >>= 7
    return bytes([*octets, number])
