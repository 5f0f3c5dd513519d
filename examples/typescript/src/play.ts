// Plays a recorded game at a new table, says what the referee says, and prints the score sheet.
//
//   node dist/play.js http://127.0.0.1:8000 ../power-grab-towers.json sv

import { readFileSync } from "node:fs";
import { connect, pause, Refused, write, type Referee, type Schemas } from "./client.js";
import { follow } from "./following.js";

type Move = Schemas["Move"] & { expect?: unknown; ruled?: "legal" | "illegal" };
interface Round {
  dealer: number;
  opening: string[];
  moves: Move[];
}
type Game = Omit<Schemas["Record"], "rounds"> & { rounds: Round[] };

/** Make the table and play; the number of the last event. */
async function play(referee: Referee, table: string, game: Game): Promise<number> {
  const path = { table_id: table };
  let last = 0;
  for (const { dealer, opening, moves } of game.rounds) {
    const opened = await write((key) =>
      referee.POST("/api/v1/tables/{table_id}/rounds", {
        params: { path, header: { "Idempotency-Key": key } },
        body: { dealer, opening },
      }),
    );
    last = opened.id;
    for (const { expect: _, ruled, ...move } of moves) {
      const made = await write((key) =>
        referee.POST("/api/v1/tables/{table_id}/moves", {
          params: { path, header: { "Idempotency-Key": key } },
          body: move,
        }),
      );
      last = made.id;
      if (!ruled) continue;
      // The host's verdict, in place of the referee's on the move just made.
      const overruled = await write((key) =>
        referee.POST("/api/v1/tables/{table_id}/corrections", {
          params: { path, header: { "Idempotency-Key": key, "If-Match": `"${made.id}"` } },
          body: { kind: "overrule", verdict: ruled },
        }),
      );
      last = overruled.id;
    }
  }
  return last;
}

/** Say what is announced, as it happens; `heard` is told the number of each event. */
async function tell(referee: Referee, table: string, heard: (id: number) => void): Promise<void> {
  for await (const entry of follow(referee, table, 1)) {
    for (const line of entry.announcements ?? []) console.log(line);
    if (entry.ruling?.verdict === "illegal") console.log(`  ${entry.ruling.text}`);
    heard(entry.id);
  }
}

function sheet(scores: Schemas["Scores"]): string {
  const width = Math.max(...scores.seats.map((name) => name.length));
  return scores.seats
    .map((name, i) => {
      const points = scores.rounds.map((round) => String(round.points[i]).padStart(5)).join("");
      return `${name.padEnd(width)}${points} ${String(scores.scores[i]).padStart(6)}`;
    })
    .join("\n");
}

async function main(server: string, file: string, language = "en"): Promise<void> {
  const game: Game = JSON.parse(readFileSync(file, "utf8"));
  const { ruleset, seats, options } = game;
  const made = await write((key) =>
    connect(server, language).POST("/api/v1/tables", {
      params: { header: { "Idempotency-Key": key } },
      body: { ruleset, seats, options },
    }),
  );
  const referee = connect(server, language, made.token);
  const table = made.table.id;
  let heard = 0;
  const telling = tell(referee, table, (id) => (heard = id));
  const last = await Promise.race([play(referee, table, game), telling]);
  while (heard < (last ?? 0)) await Promise.race([telling, pause(0.05)]);
  const { data } = await referee.GET("/api/v1/tables/{table_id}/scores", {
    params: { path: { table_id: table } },
  });
  if (data) console.log(`\n${sheet(data)}`);
}

const [server, file, language] = process.argv.slice(2);
if (!server || !file) {
  console.error("usage: node dist/play.js SERVER RECORD [LANGUAGE]");
  process.exit(2);
}
try {
  await main(server, file, language);
  process.exit(0);
} catch (failure) {
  if (!(failure instanceof Refused)) throw failure;
  console.error(`${failure.problem.title}: ${failure.message}`);
  process.exit(1);
}
