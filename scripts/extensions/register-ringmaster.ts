// node --import …/register-ringmaster.ts: lets any file import "ringmaster" and "ringmaster/testing", wherever it is.
import "../resolve-imports.ts";

const { registerRingmaster } = await import("../../lib/server/extensions/load-natively.ts");
registerRingmaster();
