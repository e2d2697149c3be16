import { answerScrape } from "@/lib/server/status/metrics/answer-scrape";
import { EXPOSITION_TYPE } from "@/lib/server/status/metrics/exposition";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "public",
    produces: EXPOSITION_TYPE,
    summary: "Metrics of this process for Prometheus; from other machines with RINGMASTER_METRICS_TOKEN",
  },
  ({ services, request }) => answerScrape(services, request.headers),
);
