import { type FieldProblem, refuseFields } from "@/lib/schema/app-error";

/** A stored secret that a change would keep, and the addresses before and after it; null: the service's own address. */
interface KeptSecret {
  /** The field in which it is entered. */
  readonly path: string;
  readonly isKept: boolean;
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * A stored secret goes only to the scheme, host and port that it was entered for: whoever can change an address must
 * not learn what was entered for another one. Every change that keeps stored secrets asks here.
 */
export function problemsOfKeptSecrets(secrets: readonly KeptSecret[]): FieldProblem[] {
  return secrets
    .filter(({ isKept, from, to }) => isKept && originOf(from) !== originOf(to))
    .map(({ path }) => ({ path, message: "Enter it again: the stored one belongs to another address." }));
}

/** Throws `invalid_input` with every field that must be entered again. */
export function refuseKeptSecrets(secrets: readonly KeptSecret[]): void {
  refuseFields(problemsOfKeptSecrets(secrets));
}

function originOf(address: string | null): string {
  if (address === null) return "";
  try {
    const { protocol, hostname, port } = new URL(address);
    return `${protocol}//${hostname.replace(/\.$/, "")}:${port}`;
  } catch {
    return address;
  }
}
