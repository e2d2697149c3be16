import { TriedMasking, TryMaskingBody } from "@/lib/schema/settings/settings";
import { json } from "@/lib/server/http/reply";
import { tryMasking } from "@/lib/server/settings/mask-rules";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    body: TryMaskingBody,
    reply: TriedMasking,
    summary: "A text as the masking rules, or those given, would leave it",
  },
  async ({ body }) => json(await tryMasking(body), { schema: TriedMasking }),
);
