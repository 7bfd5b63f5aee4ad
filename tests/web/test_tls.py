from __future__ import annotations

import http.client
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support import PATIENCE, open_memory
from tests.web.serving import running


def make_certificate(folder: Path) -> tuple[str, str]:
    """A certificate for this machine, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "cert.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return str(certificate), str(secret)


def test_it_speaks_https(tmp_path: Path) -> None:
    db, pair = tmp_path / "memory.db", make_certificate(tmp_path)
    open_memory(db).store.close()
    with running(db, certificate=pair) as served:
        trusted = ssl.create_default_context(cafile=pair[0])
        connection = http.client.HTTPSConnection("127.0.0.1", served.port, timeout=PATIENCE, context=trusted)
        connection.request("GET", "/api/stats", headers={"Authorization": f"Bearer {served.token}"})
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.read()
        connection.close()
