import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { toTables } from "./table-types";

const TEXT = `
generator client {
  provider = "prisma-client"
}

model Board {
  id        String   @id
  /// Not {this}.
  runs      BoardRun[]
  limit     Int      @default(3)
  costUsd   Float?
  isOpen    Boolean
  createdAt DateTime @default(now())
  doneAt    DateTime?
  owner     User     @relation(fields: [ownerId], references: [id])
  ownerId   String?  @default("me")
  data      Bytes

  @@map("board_card")
}

model BoardRun {
  id String
}

model User {
  id String
}
`;

test("a model becomes the table it maps to, without relations, and only what the database defaults is optional", () => {
  const text = toTables(TEXT);
  expect(text).toContain(`interface BoardTable {
  id: string;
  limit: Generated<number>;
  costUsd: number | null;
  isOpen: boolean;
  createdAt: Timestamp;
  doneAt: Timestamp | null;
  ownerId: Generated<string | null>;
  data: Uint8Array;
}`);
  expect(text).toContain("  board_card: BoardTable;\n  BoardRun: BoardRunTable;");
});

test("a field of a kind that it does not know is refused by name", () => {
  for (const field of ["amount Decimal", "tags String[]", `old String @map("new")`]) {
    expect(() => toTables(`model A {\n  ${field}\n}\n`)).toThrow(field);
  }
});

test("the schema's tables have exactly the columns of the migrated database", async () => {
  const text = toTables(readFileSync("prisma/sqlite/schema.prisma", "utf8"));
  const columns = new Map(
    [...text.matchAll(/^interface (\w+) \{\n(.*?)^\}/gms)].map(([, name = "", body = ""]) => [
      name,
      [...body.matchAll(/^ {2}(\w+):/gm)].map(([, column = ""]) => column).toSorted(),
    ]),
  );
  const tables = [...text.matchAll(/^ {2}(\w+): (\w+Table);/gm)];
  expect(tables.length).toBeGreaterThan(70);
  const { database, close } = await createTestDatabase();
  try {
    for (const [, table = "", type = ""] of tables) {
      const rows = await database.raw<{ name: string }>(`select "name" from pragma_table_info('${table}')`);
      expect([table, rows.map(({ name }) => name).toSorted()]).toEqual([table, columns.get(type)]);
    }
  } finally {
    await close();
  }
});
