// This program once more, with other migrations: a version before or after it, for tests of updates.
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Node takes the files of a program made of links for its own, not for those they lead to. */
export const LINKED_OPTIONS = ["--preserve-symlinks", "--preserve-symlinks-main"];

/** In the new folder `place`: links to everything but the migrations, which are copied. */
export function linkProgram(place: string): void {
  mkdirSync(place, { recursive: true });
  for (const name of readdirSync(".").filter((found) => found !== "prisma" && !found.startsWith("."))) {
    symlinkSync(path.resolve(name), path.join(place, name));
  }
  cpSync("prisma", path.join(place, "prisma"), { recursive: true });
}

/** A migration that only the program in `place` has. */
export function addMigration(place: string, provider: "sqlite" | "postgresql", name: string, sql: string): void {
  const folder = path.join(place, "prisma", provider, "migrations", name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, "migration.sql"), sql);
}
