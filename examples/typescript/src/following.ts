// Following a table: every event once, in order, whatever becomes of the connection.

import { pause, type Referee, type Schemas } from "./client.js";

/** The table, or the token for it, is no more. */
export class Gone extends Error {}

/** The table is not as far as the app was: an older copy of it has been restored. */
class Restored extends Error {}

/** Events after number `last`, as they happen. Throws Gone when there will be no more. */
export async function* follow(
  referee: Referee,
  table: string,
  last: number,
): AsyncGenerator<Schemas["Entry"]> {
  let wait = 0.5;
  for (;;) {
    try {
      for await (const entry of listen(referee, table, last)) {
        last = entry.id;
        wait = 0.5;
        yield entry;
      }
    } catch (failure) {
      if (failure instanceof Gone) throw failure;
      if (failure instanceof Restored) last = await newest(referee, table);
      wait = Math.min(2 * wait, 15);
    }
    await pause(wait);
  }
}

/** One connection: events after `last` until it ends. */
async function* listen(
  referee: Referee,
  table: string,
  last: number,
): AsyncGenerator<Schemas["Entry"]> {
  const { error, response } = await referee.GET("/api/v1/tables/{table_id}/events", {
    params: { path: { table_id: table }, header: { "Last-Event-ID": last } },
    headers: { Accept: "text/event-stream" },
    parseAs: "stream",
  });
  if ([401, 403, 404].includes(response.status)) throw new Gone(error?.detail);
  if (response.status === 422) throw new Restored(error?.detail);
  if (!response.ok || !response.body) return;
  let text = "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(block.split("\n").map((line) => split(line)));
      const kind = fields.get("event");
      // Without an id it concerns the stream, not the table.
      if (kind === "revoked") throw new Gone("shut out of this table, or it is no more");
      if (kind === "closing") return;
      if (fields.has("id")) yield JSON.parse(fields.get("data") ?? "{}");
    }
  }
}

/** The number of the newest event; 0 if the table cannot be read now. */
async function newest(referee: Referee, table: string): Promise<number> {
  const { data } = await referee.GET("/api/v1/tables/{table_id}", {
    params: { path: { table_id: table } },
  });
  return data?.version ?? 0;
}

function split(line: string): [string, string] {
  const colon = line.indexOf(": ");
  return [line.slice(0, colon), line.slice(colon + 2)];
}
