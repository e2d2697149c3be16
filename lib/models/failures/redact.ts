/** Shorter texts are not secrets, and redacting them would garble words. */
const SHORTEST_KEY = 6;

/** Redacts every one of `keys`, so that a provider's message can't leak one into a chat, log or trace. */
export function createRedactor(keys: readonly string[]): (text: string) => string {
  const secrets = [...new Set(keys)].filter((key) => key.length >= SHORTEST_KEY).sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, "[redacted]"), text);
}

/** An address without its user name and password, for messages. */
export function visibleAddress(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/@]*@/, "$1");
}

/** The parts of an address that must stay hidden. */
export function secretsOf(url: string): string[] {
  const credentials = /^\w+:\/\/([^/@]*)@/.exec(url)?.[1];
  return credentials ? [credentials, ...credentials.split(":").slice(1)] : [];
}
