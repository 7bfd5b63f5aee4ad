"""The server over HTTP: MCP and every operation, behind one gate. Only `quaid serve --http` loads it."""
