export interface MigrationScript {
  readonly name: string;
  readonly checksum: string;
  readonly sql: string;
}
export function applyToSqlite(file: string, migrations: readonly MigrationScript[]): void;
export function refuseReadOnly(file: string, isWritable?: (file: string) => boolean): void;
