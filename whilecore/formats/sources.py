"""Open whatever was given, and look at its first bytes to see what it is."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from whilecore.formats.tables import ReadError
from whilecore.texts import shown

Progress = Callable[[int, int], None]
Stream = Any  # io.BufferedReader; its stubs want to know over what

PACKED: Final[dict[bytes, Callable[[Any], Any]]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
}
ZSTD: Final = b"\x28\xb5\x2f\xfd"
WIDE: Final = {
    codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16",
}  # fmt: skip
BROKEN_PACKING: Final = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError)
PEEKED: Final = 1 << 16
REPORT_EVERY: Final = 1 << 20


class Meter(io.RawIOBase):
    """A binary file that tells how far it has been read."""

    def __init__(self, raw: IO[bytes], total: int, progress: Progress | None) -> None:
        """Wrap a file of ``total`` bytes; 0 where that is not known."""
        super().__init__()
        self._raw, self._total, self._progress = raw, total, progress
        self._done = self._told = 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes."""
        data = self._raw.read(len(buffer))
        if not isinstance(data, bytes):
            raise ReadError(
                f"a file object must be opened for bytes, got {type(data).__name__} from read(); "
                "open it with mode 'rb'"
            )
        buffer[: len(data)] = data
        self._done += len(data)
        if self._progress and (self._done - self._told >= REPORT_EVERY or not data):
            self._told = self._done
            self._progress(self._done, self._total)
        return len(data)


@contextmanager
def opened(source: Any, progress: Progress | None = None) -> Iterator[tuple[Stream, str]]:
    """Open a path, bytes or a binary file object, unpacked; give the stream and a name.

    Raises:
        FileNotFoundError: If there is no such file.
        ReadError: If it is no file, or a packing that the standard library does not know.
    """
    with _raw(source) as (raw, total, name):
        stream: Stream = io.BufferedReader(Meter(raw, total, progress), PEEKED)
        start = stream.peek(8)[:8]
        if start.startswith(ZSTD):
            raise ReadError(f"{name} is packed with zstd; unpack it first: zstd -d {name}")
        for magic, unpack in PACKED.items():
            if start.startswith(magic):
                stream = io.BufferedReader(unpack(stream), PEEKED)
                break
        yield _narrow(stream, name), name


@contextmanager
def _raw(source: Any) -> Iterator[tuple[IO[bytes], int, str]]:
    """Give the bytes of whatever was given, how many there are, and a name for messages."""
    if isinstance(source, bytes | bytearray | memoryview):
        yield io.BytesIO(source), len(source), "the data"
    elif hasattr(source, "read"):
        name = getattr(source, "name", None)
        yield source, 0, shown(Path(name).name) if isinstance(name, str) else "the file"
    elif isinstance(source, str | os.PathLike):
        file = Path(source)
        if not file.exists():
            raise FileNotFoundError(
                f"no file at {shown(str(file), 300)}; give the path of a JSONL, JSON, CSV or "
                "Parquet file, or its bytes"
            )
        if file.is_dir():
            raise ReadError(f"{shown(str(file), 300)} is a folder; give one file in it")
        try:
            handle = file.open("rb")
        except OSError as error:
            raise ReadError(f"{file.name} cannot be opened: {error.strerror}") from None
        with handle:
            yield handle, file.stat().st_size, shown(file.name)
    else:
        raise TypeError(
            f"read_rollouts takes a path, bytes or a binary file, got {type(source).__name__}; "
            "for rows in memory use Rollouts.from_records or Rollouts.from_frame"
        )


def _narrow(stream: Stream, name: str) -> Stream:
    """Drop a byte order mark; UTF-16 and UTF-32, as spreadsheets write, become UTF-8."""
    try:
        start = stream.peek(8)[:8]
    except BROKEN_PACKING as error:
        raise ReadError(f"{name} cannot be unpacked: {error}; copy it again") from None
    for mark, encoding in WIDE.items():
        if start.startswith(mark):
            text = stream.read().decode(encoding, errors="replace")
            return io.BufferedReader(io.BytesIO(text.encode("utf-8", "surrogatepass")))
    if start.startswith(codecs.BOM_UTF8):
        stream.read(3)
    return stream


def kind(stream: Stream, name: str) -> str:
    """Tell by the first bytes: "parquet", "zip", "array", "object", "csv" or "nothing".

    Raises:
        ReadError: If it is no text and none of these.
    """
    try:
        start = stream.peek(PEEKED)[:PEEKED]
    except BROKEN_PACKING as error:
        raise ReadError(f"{name} cannot be unpacked: {error}; copy it again") from None
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"PK\x03\x04"):
        return "zip"
    text = start.strip(b" \t\r\n\xef\xbb\xbf")
    if not text:
        return "nothing" if len(start) < PEEKED else "object"
    if text[:1] == b"[":
        return "array"
    if text[:1] == b"<":
        raise ReadError(f"{name} is a web page or XML, such as a server sends in place of a file; "
                        "give the file with one JSON object per line")  # fmt: skip
    ending = Path(name.removesuffix(".gz")).suffix.lower()
    if text[:1] == b"{" or ending in (".jsonl", ".ndjson", ".json"):
        return "object"
    lines = [line.strip() for line in text.split(b"\n")[:50] if line.strip()]
    if sum(line.startswith(b"{") for line in lines) * 2 >= len(lines):
        return "object"  # lines of JSON behind a broken first one
    head = lines[0]
    if (
        b"\x00" in head
        or sum(byte < 9 for byte in head)
        or ending not in ("", ".csv", ".tsv", ".txt")
    ):
        raise ReadError(
            f"{name} is no JSON lines, JSON array, CSV or Parquet file; save the rollouts as one "
            "JSON object per line"
        )
    return "csv"
