"""A client of `crisis mcp`, the server of the Model Context Protocol: JSON-RPC, one object a line, over pipes.

A language model usually stands in this place. Here it is a program that attacks where the chance is best and leaves
everything else to the doctrines. Only the standard library is used.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Client:
    """Sends requests to a server and reads its responses."""

    def __init__(self, server: subprocess.Popen[str]):
        self.server = server
        self.number = 0

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of one request; RuntimeError where the server says that the request itself is wrong."""
        self.number += 1
        self._send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        response = json.loads(self.server.stdout.readline())
        if "error" in response:
            raise RuntimeError(response["error"]["message"])
        return response["result"]

    def notify(self, method: str) -> None:
        """A message that is not answered."""
        self._send({"jsonrpc": "2.0", "method": method})

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool. What the rules refuse has the key `error`, with its code and a hint: read it, try again."""
        return self.request("tools/call", name=tool, arguments=arguments)["structuredContent"]

    def _send(self, message: dict[str, Any]) -> None:
        self.server.stdin.write(json.dumps(message) + "\n")
        self.server.stdin.flush()


@contextmanager
def connected(folder: str, file: str = "crisis.jsonl") -> Iterator[Client]:
    """A server whose fight is in a journal of a folder; it stops when its input ends."""
    command = [sys.executable, "-m", "crisis_cli", "mcp", "--file", file]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "encoding": "utf-8"}
    with subprocess.Popen(command, cwd=folder, **pipes) as server:
        client = Client(server)
        client.request(
            "initialize",
            protocolVersion="2025-06-18",
            capabilities={},
            clientInfo={"name": "example", "version": "1"},
        )
        client.notify("notifications/initialized")
        yield client
        server.stdin.close()


def play(client: Client, players: list[str], opponents: list[str]) -> Iterator[str]:
    """Play a fight to its end; what happens, as lines of text."""
    seen = client.call("begin", players=players, opponents=opponents)
    while "error" not in seen:
        yield from seen["text"]
        if seen["decided"]:
            yield f"The {seen['winner']} won."
            return
        if seen["waiting"] and seen["waiting"]["kind"] == "act":
            rows = client.call("legal")["legal"]
            attacks = [row for row in rows if row["line"].startswith("attack ") and " --" not in row["line"]]
            if attacks:
                best = max(attacks, key=lambda row: row["chance"] or 0)
                seen = client.call("do", action="attack", targets=best["line"].split()[1:])
                continue
        seen = client.call("answer")  # without a name: what the doctrine of the fighter would do
    raise RuntimeError(seen["error"]["message"])


def main() -> None:
    """`python mcp_client.py FOLDER WHO FOE`"""
    folder, who, foe = sys.argv[1:4] if len(sys.argv) == 4 else (".", "jack", "drone")
    with connected(folder) as client:
        tools = client.request("tools/list")["tools"]
        print("tools:", ", ".join(tool["name"] for tool in tools))
        for text in play(client, [who], [foe]):
            print(text)


if __name__ == "__main__":
    main()
