import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ProblemChange } from "@/lib/schema/traces/problem";
import { noContent } from "@/lib/server/http/reply";
import { changeProblem } from "@/lib/server/traces/problems/problems";
import { defineRoute } from "@/lib/server/wiring/route";

export const PATCH = defineRoute(
  {
    access: "admin",
    params: z.object({ problemId: RowId }),
    body: ProblemChange,
    status: 204,
    summary: "Resolve, ignore or reopen a problem",
  },
  async ({ services, viewer, params: { problemId }, body: { state } }) => {
    await changeProblem(services, viewer, problemId, state);
    return noContent();
  },
);
