import { defineConfig } from "prisma/config";

const provider = process.env.RINGMASTER_DATABASE_PROVIDER === "postgresql" ? "postgresql" : "sqlite";

/** What Prisma can't describe: a virtual table with those that SQLite keeps it in, a column of type tsvector. */
const SEARCH_TABLES = {
  sqlite: [
    "search_message",
    "search_pending",
    "search_text",
    "search_trace",
    "search_trace_text",
    "search_unfolded",
    ...["config", "data", "docsize", "idx"].flatMap((part) => [`search_text_${part}`, `search_trace_text_${part}`]),
  ],
  postgresql: ["public.search_message", "public.search_pending", "public.search_trace", "public.search_unfolded"],
};

export default defineConfig({
  schema: `prisma/${provider}/schema.prisma`,
  migrations: { path: `prisma/${provider}/migrations` },
  datasource: { url: process.env.DATABASE_URL ?? "file:./data/ringmaster.db" },
  experimental: { externalTables: true },
  tables: { external: SEARCH_TABLES[provider] },
});
