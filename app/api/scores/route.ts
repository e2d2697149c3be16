import { Score, ScoreBody, ScoreList, ScoreQuery } from "@/lib/schema/traces/score";
import { json } from "@/lib/server/http/reply";
import { giveScore, listScores } from "@/lib/server/traces/scores/scores";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: ScoreQuery,
    reply: ScoreList,
    summary: "The thumbs on a run, or on the runs of a thread, with their reasons",
  },
  async ({ services, viewer, query }) =>
    json({ scores: await listScores(services, viewer, query) }, { schema: ScoreList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: ScoreBody,
    reply: Score,
    summary: "Give a reply a thumb (value 1 or -1) with a reason; your thumb of before is replaced",
  },
  async ({ services, viewer, body }) => json(await giveScore(services.database, viewer, body), { schema: Score }),
);
