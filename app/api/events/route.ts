import { streamUserFeed } from "@/lib/server/views/user-feed";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    produces: "text/event-stream",
    summary: "The caller's feed: small events that say which thread, run or file has changed",
  },
  ({ services, viewer, signal }) => streamUserFeed(services, viewer, signal),
);
