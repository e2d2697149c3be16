export interface PostgresServer {
  /** Address of the database `postgres`. */
  readonly url: string;
  query(sql: string): Promise<void>;
  /** Ends it at once, as a crash does; what was committed is there when it starts again. */
  crash(): Promise<void>;
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}
export function findPostgres(): string | null;
export function startPostgres(): Promise<PostgresServer>;
