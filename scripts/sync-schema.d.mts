export function toPostgresSchema(sqliteSchema: string): string;
export function isSchemaInSync(): boolean;
export function syncSchema(): void;
