"""The MCP server: an adapter over the operations. Only `quaid serve` loads it and the SDK."""
