// A separate process that dispatches the cards of a board; see board-kill.test.ts. Arguments: database URL, the place
// where it kills itself with SIGKILL ("taken", "started" or "" for none), and the board.
import { type Database, openDatabase } from "@/lib/server/platform/db/database";
import { tickBoard } from "@/lib/server/triggers/boards/tick-board";
import { servicesOf } from "@/lib/testing/databases/services-of";

const [url = "", place = "", boardId = ""] = process.argv.slice(2);

/** The last write before the process dies. */
const STORED: Readonly<Record<string, string>> = { taken: 'insert into "board_run"', started: 'insert into "run"' };

const real = await openDatabase(url);
const runAll: Database["runAll"] = async (statements, durability) => {
  const rows = await real.runAll(statements, durability);
  const text = STORED[place];
  if (text !== undefined && statements.some(({ sql }) => sql.includes(text))) process.kill(process.pid, "SIGKILL");
  return rows;
};
const database = new Proxy(real, {
  get: (target, name) => (name === "runAll" ? runAll : Reflect.get(target, name)),
});
await tickBoard(servicesOf(database), boardId);
await real.close();
process.exit(0);
