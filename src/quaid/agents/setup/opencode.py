"""The plugin file that stands for hooks in OpenCode."""

from __future__ import annotations

import json
from pathlib import Path

from quaid.errors import InvalidInput

MARK = "// Written by `quaid setup opencode`"

# What the memory says is joined to the first part of the system prompt: many models accept only one.
_SOURCE = """{mark}; `quaid setup opencode --remove` takes it away.
import {{ execFile }} from "node:child_process"

const COMMAND = {command}
const SECONDS = 10

const ask = (event, input) =>
  new Promise((resolve) => {{
    const done = (error, out) => {{
      try {{
        resolve(JSON.parse(out).hookSpecificOutput?.additionalContext ?? "")
      }} catch {{
        resolve("")
      }}
    }}
    try {{
      const [program, ...words] = [...COMMAND, event]
      const child = execFile(program, words, {{ timeout: SECONDS * 1000 }}, done)
      child.stdin?.on("error", () => {{}})
      child.stdin?.end(JSON.stringify(input))
    }} catch {{
      resolve("")
    }}
  }})

export const Quaid = async ({{ directory }}) => {{
  const known = new Map()
  return {{
    "experimental.chat.system.transform": async ({{ sessionID = "" }}, output) => {{
      if (!known.has(sessionID)) {{
        known.set(sessionID, ask("session-start", {{ session_id: sessionID, cwd: directory }}))
      }}
      const said = await known.get(sessionID)
      if (!said) return
      if (output.system.length) output.system[0] += "\\n\\n" + said
      else output.system.push(said)
    }},
    "experimental.session.compacting": async ({{ sessionID = "" }}, output) => {{
      const said = await ask("pre-compact", {{ session_id: sessionID, cwd: directory }})
      if (said) output.context.push(said)
    }},
    event: async ({{ event }}) => {{
      if (event.type === "session.deleted") known.delete(event.properties?.info?.id)
    }},
  }}
}}
"""


def source(program: tuple[str, ...], memory: Path) -> str:
    """The text of the plugin."""
    command = json.dumps([*program, "--db", str(memory), "hook"], ensure_ascii=False)
    return _SOURCE.format(mark=MARK, command=command)


def replaced(path: Path, text: str, source: str) -> str:
    """The source, in place of a text that is ours; another plugin of that name is not touched."""
    if text and not text.startswith(MARK):
        raise InvalidInput(
            f"{path} is another plugin", hint="Choose another name: --name quaid-memory, or use --no-hooks."
        )
    return source
