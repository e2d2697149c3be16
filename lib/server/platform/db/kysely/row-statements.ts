import {
  type CompiledQuery,
  type Expression,
  type Insertable,
  type RawBuilder,
  type Selectable,
  sql,
  type Updateable,
} from "kysely";
import { type ColumnType, type Dialect, type SqlValue, sqlJson, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { build, buildUntyped } from "./build";
import { hotStatement, type PlaceFor } from "./hot-statement";
import { boundJsonRows } from "./json-rows";

/** Adds to a number column instead of setting it; a null column stays null ("unknown"). */
interface Increment {
  readonly increment: number;
}

/** As `notBeforeStart`. */
interface EndTime {
  readonly notBeforeStart: Date;
}

type Table = keyof Tables & string;

type Values<Row> = { readonly [Name in keyof Row]: Row[Name] };

/** A row to insert; what has a default may be missing. */
export type NewRow<Name extends Table> = Values<Insertable<Tables[Name]>>;

/** New values of columns, or how they follow from the old ones. */
export type Changes<Name extends Table> = {
  readonly [Column in keyof Updateable<Tables[Name]>]: Updateable<Tables[Name]>[Column] | Increment | EndTime;
};

type Bound = Readonly<Record<string, unknown>>;

/** Statements of the same shape are built once: the code has few of them. */
const known = new Map<string, (values: Bound) => CompiledQuery<unknown>>();

function shaped(shape: string, create: (value: PlaceFor<Record<string, SqlValue>>) => { compile(): CompiledQuery }) {
  let statement = known.get(shape);
  if (statement === undefined) {
    statement = hotStatement(create) as (values: Bound) => CompiledQuery<unknown>;
    known.set(shape, statement);
  }
  return statement;
}

/** The time, but not before the row's "startedAt": the clock may have been set back since. */
export function notBeforeStart(end: Expression<SqlValue>): RawBuilder<string> {
  return sql`case when "startedAt" <= ${end} then ${end} else "startedAt" end`;
}

/** One new row. Omitted columns get the database's default, which only numbers and texts have. */
export function insertRow<Name extends Table>(table: Name, row: NewRow<Name>): CompiledQuery {
  const names = Object.keys(row);
  const statement = shaped(`insert ${table} ${names.join()}`, (value) =>
    buildUntyped.insertInto(table).values(Object.fromEntries(names.map((name) => [name, value(name)]))),
  );
  return statement(row);
}

/** New rows in one statement, whose text does not depend on their number. Dates are written as timestamps. */
export function insertRows<Columns extends Readonly<Record<string, ColumnType>>>(
  dialect: Dialect,
  table: Table,
  columns: Columns,
  rows: readonly Readonly<Record<keyof Columns, SqlValue>>[],
): CompiledQuery {
  const names = Object.keys(columns);
  const statement = shaped(`${dialect.provider} rows ${table} ${names.join()}`, (value) => {
    const given = boundJsonRows(dialect, columns, value("rows") as ReturnType<PlaceFor<{ rows: string }>>);
    const selected = build.selectFrom(given.as("r")).select(names.map((name) => sql.ref(`r.${name}`).as(name)));
    return buildUntyped.insertInto(table).columns(names).expression(selected);
  });
  return statement({ rows: sqlJson(rows.map(toJsonRow)) });
}

/** Changes the rows whose columns equal `where`. */
export function updateRows<Name extends Table>(
  table: Name,
  where: Partial<Values<Selectable<Tables[Name]>>>,
  changes: Changes<Name>,
): CompiledQuery {
  const columns = Object.entries(changes).map(([name, value]) => ({ name, ...toChange(value) }));
  const wanted = Object.entries(where);
  const shape = [columns.map(({ name, kind }) => `${name} ${kind}`), wanted.map(([name]) => name)];
  const statement = shaped(`update ${table} ${shape.join(" where ")}`, (value) => {
    const set = columns.map(({ name, kind }) => [name, EXPRESSIONS[kind](sql.ref(name), value(`set ${name}`))]);
    const update = buildUntyped.updateTable<string>(table).set(Object.fromEntries(set));
    return update.where((eb) => eb.and(wanted.map(([name]) => eb(name, "=", value(`where ${name}`)))));
  });
  const bound = [
    ...columns.map(({ name, bound }) => [`set ${name}`, bound]),
    ...wanted.map(([name, value]) => [`where ${name}`, value]),
  ];
  return statement(Object.fromEntries(bound));
}

const EXPRESSIONS = {
  set: (_: RawBuilder<unknown>, place: Expression<SqlValue>) => place,
  add: (column: RawBuilder<unknown>, place: Expression<SqlValue>) => sql<SqlValue>`${column} + ${place}`,
  end: (_: RawBuilder<unknown>, place: Expression<SqlValue>) => notBeforeStart(place),
};

function toChange(value: unknown): { readonly kind: keyof typeof EXPRESSIONS; readonly bound: unknown } {
  if (typeof value !== "object" || value === null) return { kind: "set", bound: value };
  if ("increment" in value) return { kind: "add", bound: value.increment };
  return "notBeforeStart" in value ? { kind: "end", bound: value.notBeforeStart } : { kind: "set", bound: value };
}

function toJsonRow(row: Readonly<Record<string, SqlValue>>): Record<string, SqlValue> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? sqlTimestamp(value) : value]),
  );
}
