const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** Nine letters and digits that stand for the id of a call, always the same. */
export function shortId(id: string): string {
  let rest = hash64(id);
  let written = "";
  for (let count = 0; count < 9; count++) {
    written += LETTERS[Number(rest % 62n)];
    rest /= 62n;
  }
  return written;
}

/** FNV-1a: ids of one conversation must differ, nothing more. */
function hash64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
