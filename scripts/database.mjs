// npm run db:generate | db:migrate | db:deploy | db:sync-schema
import { PROVIDERS, providerOf, runPrisma } from "./prisma-cli.mjs";
import { syncSchema } from "./sync-schema.mjs";

const commands = {
  generate: async () => {
    for (const provider of PROVIDERS) await runPrisma(provider, ["generate"]);
  },
  "sync-schema": async () => syncSchema(),
};
await commands[process.argv[2]]();
