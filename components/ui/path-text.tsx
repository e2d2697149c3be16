/** A path on one line: the folders are truncated first, the name last; the whole path on hover. */
export function PathText({ path }: { path: string }) {
  const cut = path.lastIndexOf("/") + 1;
  return (
    <span className="flex min-w-0 flex-1 font-mono text-xs" title={path}>
      <span className="min-w-4 shrink-[9999] truncate text-muted empty:hidden">{path.slice(0, cut)}</span>
      <span className="min-w-0 truncate">{path.slice(cut)}</span>
    </span>
  );
}
