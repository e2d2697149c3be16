const MAX_STATEMENTS = 500;
/** Longer texts are those of one insert of many rows, whose number changes. */
const MAX_CHARACTERS = 10_000;

/** Prepared statements by their text. */
export class StatementCache<Statement> {
  readonly #statements = new Map<string, Statement>();
  readonly #prepare: (sql: string) => Statement;

  constructor(prepare: (sql: string) => Statement) {
    this.#prepare = prepare;
  }

  /** Throws what preparing throws. */
  get(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#prepare(sql);
    if (sql.length > MAX_CHARACTERS) return statement;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }
}
