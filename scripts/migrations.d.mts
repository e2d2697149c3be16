export interface Migration {
  readonly name: string;
  readonly checksum: string;
}
export function listMigrations(provider: string): Migration[];
export function pendingSchemaChange(provider: string, databaseUrl: string): Promise<string>;
export function nameMigration(title: string): string;
export function applyMigrations(databaseUrl: string): Promise<string[]>;
export function applyDirectly(databaseUrl: string): Promise<void>;
