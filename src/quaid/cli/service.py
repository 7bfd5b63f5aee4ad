"""The commands that keep a server of the memory running."""

from __future__ import annotations

import sys
from pathlib import Path

from quaid.app.discovery import is_memory
from quaid.app.service import Service, demand_secret, manager_of
from quaid.cli.parser import Given
from quaid.cli.serve import checked_address
from quaid.cli.session import Session
from quaid.errors import FINDINGS_STATUS, InvalidInput, NotFound
from quaid.supervisor import ask, program
from quaid.trust import real

FLAGS = ("behind_proxy", "oauth")
FILES = ("tls_cert", "tls_key")
WORDS = ("host", "allow_host", "tools")


def install_service(session: Session, given: Given) -> int:
    """Describe the server to the manager, and start it."""
    service, values = _service(session), given.values
    if not is_memory(service.memory):
        raise NotFound(f"there is no memory {service.memory}", hint="Make one with `quaid init`.")
    address = checked_address(given)
    if not address.port:
        raise InvalidInput("a service needs a port of its own", hint="Such as --port 8766.")
    named = values.get("token_file")
    token = _absolute(session, named) if named else service.token_file
    if named or token.exists():
        demand_secret(token)
    words = _words(session, service, given, address.port)
    words += ["--token-file", str(token)]
    if values.get("dry_run"):
        text = service.description(words).decode()
        data = {"dry_run": True, "name": service.name, "file": str(service.file), "text": text}
        return session.console.answer(data, f"Would write {service.file}:\n\n{text}")
    service.manager.demand()
    if not named:
        service.make_token()
    changed = service.install(words)
    if ask("loginctl", "show-user", "--property=Linger").out == "Linger=no":
        session.console.notify("It ends when you log out, unless you run: loginctl enable-linger")
    data = {
        "dry_run": False,
        "name": service.name,
        "file": str(service.file),
        "changed": changed,
        "address": str(address),
        "token_file": str(token),
    }
    text = f"{service.name} {'installed' if changed else 'is installed already'}: {address}\n"
    return session.console.answer(data, f"{text}token: {token}")


def show_service(session: Session, given: Given) -> int:
    """Say how the service fares."""
    service = _service(session)
    state = service.state()
    data: dict[str, object] = {"name": service.name, "installed": state is not None}
    if state is None:
        session.console.answer(data, f"{service.name} is not installed: `quaid service install`")
        return FINDINGS_STATUS
    data |= {"file": str(service.file)} | dict(state.__dict__)
    lines = [
        f"{service.name} {'runs' if state.running else 'does not run'}: {state.detail}",
        "starts when you log in" if state.enabled else "does not start when you log in",
        *([f"last error: {state.error}"] if state.error else []),
    ]
    session.console.answer(data, "\n".join(lines))
    return 0 if state.running else FINDINGS_STATUS


def remove_service(session: Session, given: Given) -> int:
    """Stop the server, and take its description away."""
    service = _service(session)
    removed = service.remove()
    text = f"{service.name} {'removed' if removed else 'is not installed'}"
    return session.console.answer({"name": service.name, "removed": removed}, text)


def _service(session: Session) -> Service:
    manager = manager_of(sys.platform, session.environment, session.home)
    return Service(manager, real(session.here / session.memory), session.home)


def _absolute(session: Session, path: str) -> Path:
    return session.here / Path(path).expanduser()


def _words(session: Session, service: Service, given: Given, port: int) -> list[str]:
    """The command that the manager runs: nothing in it depends on where it stands."""
    values = given.values
    words = [*program("quaid", "quaid"), "--db", str(service.memory), "serve", "--http", "--port", str(port)]
    for name in WORDS:
        if values.get(name):
            words += [f"--{name.replace('_', '-')}", values[name]]
    for name in FILES:
        if values.get(name):
            words += [f"--{name.replace('_', '-')}", str(_absolute(session, values[name]))]
    return [*words, *(f"--{name.replace('_', '-')}" for name in FLAGS if values.get(name))]
