"""The programs: `quaid`, and `ai-kb`, which is the commands of a knowledge base under shorter names."""

from __future__ import annotations

from quaid.model.record import record


@record
class Program:
    """What is typed: the program's name, and the first word of its commands that is left out."""

    name: str
    group: str = ""

    def short(self, command: str) -> str:
        """A command, or a line that begins with one, without what is left out."""
        return command.removeprefix(f"{self.group} ")

    def line(self, command: str) -> str:
        """A command as it is typed."""
        return f"{self.name} {self.short(command)}"


QUAID = Program("quaid")
AI_KB = Program("ai-kb", "kb")
