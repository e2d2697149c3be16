export interface Installation {
  readonly dataDirectory: string;
  readonly databaseUrl: string;
}
export function backUp(installation: Installation, folder: string): Promise<void>;
