export const SQLITE_ONLY: string;
export const POSTGRES_ONLY: string;
export function storeTests(): string[];
export function canTestPostgres(): boolean;
