import { type Database, database } from "./db/database";

/** What the parts of the server share, handed on from whoever calls them. Built once per process, and by each test. */
export interface Services {
  readonly database: Database;
}

const ambient: Services = {
  get database() {
    return database();
  },
};

/** The services of this process, for the rooms that do not get them from their callers yet. */
export function processServices(): Services {
  return ambient;
}
