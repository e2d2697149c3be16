export const projectDirectory: string;
export const PROVIDERS: readonly string[];
export function providerOf(databaseUrl: string): "sqlite" | "postgresql";
export function runPrisma(provider: string, prismaArguments: readonly string[], databaseUrl?: string): Promise<string>;
