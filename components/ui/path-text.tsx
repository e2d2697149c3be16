/** Long names often differ only at their end: a number, a language, the type. */
const KEPT_AT_END = 14;

/** A path on one line: the folders are truncated first, then the middle of the name; the whole path on hover. */
export function PathText({ path }: { path: string }) {
  const cut = path.lastIndexOf("/") + 1;
  const name = path.slice(cut);
  const start = name.slice(0, Math.max(0, name.length - KEPT_AT_END));
  return (
    <span className="flex min-w-0 flex-1 overflow-hidden font-mono text-xs" title={path}>
      <span className="min-w-4 shrink-[9999] truncate text-muted empty:hidden">{path.slice(0, cut)}</span>
      <span className="min-w-4 truncate whitespace-pre empty:hidden">{start}</span>
      <span className="shrink-0 whitespace-pre">{name.slice(start.length)}</span>
    </span>
  );
}
