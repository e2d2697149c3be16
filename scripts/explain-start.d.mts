export function explainCommand(error: unknown, outcome: string): string;
export function explainStart(error: unknown): string;
