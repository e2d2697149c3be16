import type { Database } from "./db/database";

/** What the parts of the server share, handed from caller to callee. Built once per process, and by each test. */
export interface Services {
  readonly database: Database;
}
