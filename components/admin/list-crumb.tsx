import Link from "next/link";

/** Before a page's title: back to the list it was opened from. */
export function ListCrumb({ href, children }: { href: string; children: string }) {
  return (
    <>
      <Link href={href} className="text-sm text-muted hover:text-foreground">
        {children}
      </Link>
      <span aria-hidden="true" className="text-subtle">
        /
      </span>
    </>
  );
}
