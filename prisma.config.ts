import { defineConfig } from "prisma/config";

const provider = process.env.RINGMASTER_DATABASE_PROVIDER === "postgresql" ? "postgresql" : "sqlite";

export default defineConfig({
  schema: `prisma/${provider}/schema.prisma`,
  migrations: { path: `prisma/${provider}/migrations` },
  datasource: { url: process.env.DATABASE_URL ?? "file:./data/ringmaster.db" },
});
