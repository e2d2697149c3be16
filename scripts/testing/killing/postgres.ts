import pg from "pg";
import { countStatement } from "./count-statement";

/** Sends the statements of one text one by one, unless a function is defined in it. */
class KillingClient extends pg.Client {
  override query(...given: unknown[]): never {
    return this.send(given) as never;
  }

  private async send([text, ...rest]: unknown[]): Promise<unknown> {
    const ask = super.query.bind(this) as (...words: unknown[]) => Promise<unknown>;
    const isPlain = typeof text === "string" && rest.length === 0 && !text.includes("$$");
    const statements = isPlain ? text.split(";\n") : [text];
    let result: unknown;
    for (const statement of statements.filter((one) => one !== "")) {
      countStatement();
      result = await ask(statement, ...rest);
    }
    return result;
  }
}

export const killingPg = { ...pg, Client: KillingClient };
