import { InboxNoteList } from "@/lib/schema/inbox/inbox-note";
import { json } from "@/lib/server/http/reply";
import { listNotes } from "@/lib/server/inbox/notes";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: InboxNoteList, summary: "What you should know of and need not answer, the latest first" },
  async ({ services, viewer }) => json(await listNotes(services.database, viewer), { schema: InboxNoteList }),
);
