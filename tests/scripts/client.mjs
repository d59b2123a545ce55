// Plays a crisis from node: attacks where the chance to hit is best, else the default, and counts what it was asked.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [program, ...first] = process.env.CRISIS.split(" ");
const crisis = spawn(program, [...first, "play", ...process.argv.slice(2), "--protocol"], {
  stdio: ["pipe", "pipe", "inherit"],
});
const chance = (row) => (row.action === "attack" ? row.odds?.success?.p ?? 0 : 0);
const asked = {};

for await (const line of createInterface({ input: crisis.stdout })) {
  const said = JSON.parse(line);
  if (said.type === "end") console.log(JSON.stringify({ winner: said.winner, rounds: said.rounds, asked }));
  if (said.type === "error") throw new Error(said.message);
  if (said.type !== "request") continue;
  asked[said.kind] = (asked[said.kind] ?? 0) + 1;
  const answer = { id: said.id, take: "default" };
  if (said.kind === "act") {
    const best = said.legal.reduce((one, other) => (chance(other) > chance(one) ? other : one));
    if (chance(best) > 0) answer.line = best.line, delete answer.take;
  }
  crisis.stdin.write(JSON.stringify(answer) + "\n");
}
