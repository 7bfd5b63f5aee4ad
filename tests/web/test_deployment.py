"""What the Containerfile and docs/deploy.md say is run: the image's command, its health check, nginx."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support import PATIENCE, PROGRAM, environment, quick
from tests.web.serving import Running
from tests.web.test_tls import make_certificate

ROOT = Path(__file__).parents[2]
EVENTS = "GET /api/events HTTP/1.1\r\nHost: memory.example.org\r\nAuthorization: Bearer {token}\r\n\r\n"


def words_of(instruction: str) -> list[str]:
    """The words of an instruction of the Containerfile."""
    found = re.search(rf"^{instruction} (\[.*\])$", (ROOT / "Containerfile").read_text(), re.MULTILINE)
    assert found
    words: list[str] = json.loads(found[1])
    return words


def test_what_the_image_runs_is_healthy_by_its_own_check(tmp_path: Path) -> None:
    check, command = words_of("    CMD"), words_of("CMD")  # the indented one belongs to HEALTHCHECK
    quick("init")
    refused = quick(*command)
    assert "a token is needed" in refused.err
    quick("token", "add", "laptop")
    with subprocess.Popen(
        [PROGRAM, *command, "--port", "0"], stderr=subprocess.PIPE, text=True, env=environment(), cwd=tmp_path
    ) as server:
        assert server.stderr
        port = re.search(r"http://0\.0\.0\.0:(\d+)/", server.stderr.readline())
        assert port

        def healthy(at: str) -> bool:
            words = [word.replace("127.0.0.1:8766", at) for word in check[1:]]
            return subprocess.run([sys.executable, *words], capture_output=True, check=False).returncode == 0

        assert healthy(f"127.0.0.1:{port[1]}")
        server.send_signal(signal.SIGTERM)
        server.stderr.read()
    assert server.returncode == 0
    assert not healthy(f"127.0.0.1:{port[1]}")


@contextmanager
def nginx(server: Running, folder: Path) -> Iterator[Path]:
    """nginx as docs/deploy.md sets it up, at a socket of its own."""
    told = re.search(r"```nginx\n(.*?)```", (ROOT / "docs" / "deploy.md").read_text(), re.DOTALL)
    assert told
    certificate, key = make_certificate(folder)
    site = (
        told[1].replace("listen 443 ssl", f"listen unix:{folder}/n ssl").replace(":8766", f":{server.port}")
    )
    site = re.sub(r"/etc/[^;]*/cert.pem", certificate, re.sub(r"/etc/[^;]*/key.pem", key, site))
    places = "".join(
        f"{each}_temp_path {folder}/{each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    file.write_text(
        f"{user} pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {places}\n{site} }}\n"
    )
    words = [shutil.which("nginx") or "/usr/sbin/nginx", "-p", folder, "-c", file, "-e", folder / "error.log"]
    subprocess.run([*words, "-t"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(words, check=True, stderr=subprocess.DEVNULL)  # it returns when it listens
    try:
        yield folder / "n"
    finally:
        subprocess.run([*words, "-s", "stop"], check=True, stderr=subprocess.DEVNULL)


@pytest.mark.skipif(
    not (shutil.which("nginx") or Path("/usr/sbin/nginx").exists()), reason="nginx is not installed"
)
def test_nginx_passes_requests_and_streams_on(server: Running, tmp_path: Path) -> None:
    with nginx(server, tmp_path) as place, socket.socket(socket.AF_UNIX) as plain:
        context = ssl.create_default_context(cafile=tmp_path / "cert.pem")
        plain.settimeout(PATIENCE)
        plain.connect(str(place))
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as secure:
            secure.sendall(EVENTS.format(token=server.token).encode())
            heard = b""
            while b"event: ready" not in heard:  # it would wait for more, if nginx kept it back
                part = secure.recv(4096)
                assert part, heard
                heard += part
    assert heard.startswith(b"HTTP/1.1 200")
