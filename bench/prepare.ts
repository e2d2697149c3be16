// Loaded before every benchmark: a clone that was never built has no generated clients, which the code that is measured
// imports.
import { ensureClients } from "../scripts/database/generate-clients";

await ensureClients();
