import { ParsedSearch, ParseSearchBody } from "@/lib/schema/traces/list/parsed-search";
import { json } from "@/lib/server/http/reply";
import { findMeaning } from "@/lib/server/traces/list/find-meaning";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "read",
    body: ParseSearchBody,
    reply: ParsedSearch,
    summary: "What words mean as filters of the list of traces; `rest` was not understood",
  },
  async ({ services, viewer, body }) => json(await findMeaning(services, viewer, body), { schema: ParsedSearch }),
);
