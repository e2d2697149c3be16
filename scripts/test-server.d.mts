export interface TestServer {
  readonly url: string;
  /** Everything it has printed since its last start. */
  readonly output: () => string;
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}
export function startTestServer(environment?: Readonly<Record<string, string>>): Promise<TestServer>;
