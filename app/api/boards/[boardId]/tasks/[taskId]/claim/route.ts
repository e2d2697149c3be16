import { z } from "zod";
import { BoardCard, ClaimBody } from "@/lib/schema/boards/board";
import { RowId } from "@/lib/schema/page-query";
import { json } from "@/lib/server/http/reply";
import { claimCard } from "@/lib/server/triggers/boards/cards";
import { claimForPerson } from "@/lib/server/triggers/boards/person-cards";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ boardId: RowId, taskId: RowId }),
    body: ClaimBody,
    reply: BoardCard,
    summary: "Give a free card to an idle member, or take it yourself; 409 when it is taken",
  },
  async ({ services, params, body: { assignee }, viewer }) => {
    const card =
      assignee === undefined ? claimForPerson(services, params, viewer) : claimCard(services, params, assignee, viewer);
    return json(await card, { schema: BoardCard });
  },
);
