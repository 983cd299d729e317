"""A viewer page as a Python client: sends and receives the messages of a browser tab."""

import base64
import os
import socket
import struct
import urllib.error
import urllib.parse
import urllib.request

MODEL, FRAME = b"SNWM", b"SNWF"
RUN, CTRL, MOVE_CAMERA, SELECT_BODY, FLAG, KEY, NEXT, SIZE = 1, 6, 10, 26, 30, 40, 42, 43
SPHERE = 2


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def get(address, **headers):
    """Status, headers and body of a request."""
    request = urllib.request.Request(address, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        with urllib.request.build_opener(_Stay).open(request, timeout=10) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as e:
        return e.code, e.headers, e.read()


class Page:
    """A WebSocket to the viewer, opened with the cookie that the address is exchanged for."""

    def __init__(self, address):
        _, headers, _ = get(address)
        cookie = headers["Set-Cookie"].partition(";")[0]
        host = urllib.parse.urlsplit(address).netloc
        self.socket = socket.create_connection(host.split(":"), timeout=10)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n"
                             f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {key}\r\n\r\n").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._read(1)
        assert b" 101 " in head, head

    def _read(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the viewer has gone")
            data += part
        return data

    def send(self, *numbers):
        self.say(struct.pack(f"<{len(numbers)}d", *numbers), 2)

    def say(self, body, kind):
        """Sends a message, masked as browsers do."""
        mask = os.urandom(4)
        masked = bytes(b ^ mask[i % 4] for i, b in enumerate(body))
        length = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + struct.pack(">H", len(body))
        self.socket.sendall(bytes([0x80 | kind]) + length + mask + masked)

    def hear(self):
        """The next message: its kind and its bytes."""
        first, length = self._read(2)
        if length >= 126:
            length = struct.unpack(">H" if length == 126 else ">Q", self._read(2 if length == 126 else 8))[0]
        return first & 15, self._read(length)

    def frame(self):
        """The next frame; models and notices before it are skipped."""
        while True:
            kind, body = self.hear()
            if kind == 2 and body[:4] == FRAME:
                self.send(NEXT)
                return body
            if kind == 8:
                raise ConnectionError("the viewer has closed")

    def close(self):
        self.socket.close()


def time_of(frame):
    return struct.unpack_from("<d", frame, 8)[0]


def shapes(frame):
    """Type and position of every shape of a page's first frame."""
    at = 4 * (2 + 2 + 3 + 2 + 2 + 4 + 3 + 4) + 84  # offset of the options, which are bytes
    for _ in range(3):
        at += 4 + 4 * struct.unpack_from("<i", frame, at)[0]
    at += 4 * (9 + 6 + 1)
    at += 4 + 4 * (3 + 18 + 2) * struct.unpack_from("<i", frame, at)[0]
    _, changed = struct.unpack_from("<2i", frame, at)
    at += 8
    for _ in range(changed):
        _, what, *pos = struct.unpack_from("<2i3f", frame, at)
        assert what == 3, "not the first frame"
        kind = struct.unpack_from("<i", frame, at + 4 * 14)[0]
        label = struct.unpack_from("<i", frame, at + 4 * (14 + 7 + 3 + 4 + 4))[0]
        yield kind, pos
        at += 4 * (14 + 7 + 3 + 4 + 4 + 1 + -(-label // 4))


def spheres(frame):
    return [pos for kind, pos in shapes(frame) if kind == SPHERE]
