import "server-only";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { Viewer } from "@/lib/schema/users/user";
import { findSessionViewer } from "@/lib/server/users/session";
import { isSetUpNeeded } from "@/lib/server/users/set-up";

/** The signed-in viewer of a page (server components); null for nobody. */
export async function findPageViewer(): Promise<Viewer | null> {
  return findSessionViewer(await headers());
}

/** What Next gives a page as `searchParams`. */
export type PageQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The signed-in viewer of a page; redirects everybody else to sign-in, or to set-up while no person is admin. After
 * signing in, they return to `path` with `query`.
 */
export async function requirePageViewer(path: string, query: PageQuery = {}): Promise<Viewer> {
  const viewer = await findPageViewer();
  if (viewer) return viewer;
  if (await isSetUpNeeded()) redirect("/setup");
  redirect(`/sign-in?next=${encodeURIComponent(path + queryText(query))}`);
}

function queryText(query: PageQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((single): [string, string] => [name, single]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

/** The same for admin pages: for anybody else who is signed in, the page does not exist. */
export async function requireAdminPage(returnTo: string): Promise<Viewer> {
  const viewer = await requirePageViewer(returnTo);
  if (viewer.role !== "admin") notFound();
  return viewer;
}
