export function isMain(url: string, program?: string): boolean;
