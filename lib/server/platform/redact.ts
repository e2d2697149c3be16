const SECRET_TEXT =
  /\b(?:sk-[A-Za-z0-9_-]{12,}|rm_[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{20,})|(?<=\bBearer )[A-Za-z0-9._~+/-]{8,}=*|(?<=\/\/[^\s:/@"]{1,64}:)[^\s@"/]{1,256}(?=@)/g;

/**
 * Replaces what looks like a credential (provider keys, our own keys, bearer tokens, passwords in URLs) by `[redacted]`.
 * For text that leaves the process: logs, errors, exports. JSON stays valid JSON.
 */
export function redactText(text: string): string {
  return text.replace(SECRET_TEXT, "[redacted]");
}
