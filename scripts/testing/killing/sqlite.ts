import Connection from "better-sqlite3";
import { countStatement } from "./count-statement";

/** SQLite names each statement before it runs it, also those of one text. */
export class KillingConnection extends Connection {
  constructor(file: string, options: Connection.Options = {}) {
    super(file, { ...options, verbose: countStatement });
  }
}
