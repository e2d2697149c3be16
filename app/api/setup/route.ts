import { z } from "zod";
import { SetUpBody, SetUpStatus } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { setUpInstallation } from "@/lib/server/usage/set-up-installation";
import { isSetUpNeeded } from "@/lib/server/users/set-up";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "public", reply: SetUpStatus, summary: "Whether the first admin still has to be created" },
  async ({ services }) => json({ needed: await isSetUpNeeded(services.database) }),
);

export const POST = defineRoute(
  {
    access: "public",
    body: SetUpBody,
    reply: z.object({ id: z.string() }),
    status: 201,
    summary: "Create the first admin with the token from the server's log, and the first budgets",
  },
  async ({ services, body }) => json(await setUpInstallation(services, body), { status: 201 }),
);
