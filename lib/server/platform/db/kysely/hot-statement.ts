import { type Compilable, type CompiledQuery, type Expression, sql } from "kysely";
import type { Dialect } from "@/lib/server/platform/db/dialect";

/** Where one of the values goes that each execution of a hot statement binds. */
export type PlaceFor<Values> = <Name extends keyof Values & string>(name: Name) => Expression<Values[Name]>;

class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement that is built once and executed very often: returns a function that only binds its values. `create`
 * must not depend on anything that changes.
 */
export function hotStatement<Values extends object, Row>(
  create: (value: PlaceFor<Values>) => Compilable<Row>,
): (values: Values) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (values) => {
    compiled ??= create((name) => sql`${new Place(name)}`).compile();
    return { ...compiled, parameters: compiled.parameters.map((parameter) => bind(parameter, values)) };
  };
}

/** The same where the two databases need another text: built once for each. */
export function hotStatements<Values extends object, Row>(
  create: (value: PlaceFor<Values>, dialect: Dialect) => Compilable<Row>,
): (dialect: Dialect, values: Values) => CompiledQuery<Row> {
  const known = new Map<Dialect["provider"], (values: Values) => CompiledQuery<Row>>();
  return (dialect, values) => {
    let statement = known.get(dialect.provider);
    if (statement === undefined) {
      statement = hotStatement((value: PlaceFor<Values>) => create(value, dialect));
      known.set(dialect.provider, statement);
    }
    return statement(values);
  };
}

function bind(parameter: unknown, values: object): unknown {
  return parameter instanceof Place ? values[parameter.name as keyof typeof values] : parameter;
}
