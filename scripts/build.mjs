// npm run build
import { ensureBuild } from "./build-mark.mjs";
import { ensureClients } from "./generate-clients.mjs";

await ensureClients();
await ensureBuild(() => process.stdout.write("Building …\n"));
process.stdout.write("The build in .next is current.\n");
