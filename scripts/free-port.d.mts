export function freePort(): Promise<number>;
export function requireFreePort(host: string, port: number): Promise<void>;
