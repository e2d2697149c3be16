import { ParsedSearch, ParseSearchBody } from "@/lib/schema/traces/list/parsed-search";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { findMeaning } from "@/lib/server/traces/list/find-meaning";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "read",
    body: ParseSearchBody,
    reply: ParsedSearch,
    summary: "What words mean as filters of the list of traces; `rest` was not understood",
  },
  async ({ viewer, body }) => json(await findMeaning(processServices(), viewer, body), { schema: ParsedSearch }),
);
