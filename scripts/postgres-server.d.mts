export interface PostgresServer {
  /** Address of the database `postgres`. */
  readonly url: string;
  query(sql: string): Promise<void>;
  stop(): Promise<void>;
}
export function findPostgres(): string | null;
export function startPostgres(): Promise<PostgresServer>;
