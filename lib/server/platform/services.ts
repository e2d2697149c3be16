import type { Database } from "./db/database";

/** What the parts of the server share, handed from caller to callee. Built once per process, and by each test. */
export interface Services {
  readonly database: Database;
  /** What `serviceState` has made for these services, by name. */
  readonly states: Map<string, unknown>;
}

export function createServices(database: Database): Services {
  return { database, states: new Map() };
}

/**
 * Something that each `Services` has one of, made on first use: after `const pool = serviceState("pool", makePool)` it
 * is `pool(services)`. It stands beside the code that uses it, so that the folders below know nothing of its type. The
 * name lets the second copy of a module, which Next loads, find the same one; no two states have the same.
 */
export function serviceState<T>(name: string, make: (services: Services) => T): (services: Services) => T {
  return (services) => {
    const { states } = services;
    if (!states.has(name)) states.set(name, make(services));
    return states.get(name) as T;
  };
}
