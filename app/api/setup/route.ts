import { z } from "zod";
import { SetUpBody, SetUpStatus } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { database } from "@/lib/server/platform/db/database";
import { processServices } from "@/lib/server/platform/services";
import { setUpInstallation } from "@/lib/server/usage/set-up-installation";
import { isSetUpNeeded } from "@/lib/server/users/set-up";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "public", reply: SetUpStatus, summary: "Whether the first admin still has to be created" },
  async () => json({ needed: await isSetUpNeeded(database()) }),
);

export const POST = defineRoute(
  {
    access: "public",
    body: SetUpBody,
    reply: z.object({ id: z.string() }),
    status: 201,
    summary: "Create the first admin with the token from the server's log, and the first budgets",
  },
  async ({ body }) => json(await setUpInstallation(processServices(), body), { status: 201 }),
);
