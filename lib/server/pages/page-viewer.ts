import "server-only";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { Viewer } from "@/lib/schema/users/user";
import { feedRevision } from "@/lib/server/engine/log/signals";
import type { Services } from "@/lib/server/platform/services";
import { findSessionViewer } from "@/lib/server/users/session";
import { isSetUpNeeded } from "@/lib/server/users/set-up";

export interface PageFrame {
  readonly viewer: Viewer;
  /** The revision of the viewer's feed before anything on the page was read; null where it can't be known. */
  readonly feedRevision: string | null;
}

/** What the frame of a page needs; null if not signed in. Read once per request, before the page reads anything. */
export const findPageFrame = cache(async (services: Services): Promise<PageFrame | null> => {
  const viewer = await findSessionViewer(services, await headers());
  return viewer && { viewer, feedRevision: feedRevision(viewer.id) };
});

/** The signed-in viewer of a page (server components); null if not signed in. */
export async function findPageViewer(services: Services): Promise<Viewer | null> {
  return (await findPageFrame(services))?.viewer ?? null;
}

/** The `searchParams` that Next passes to a page. */
export type PageQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * What the frame of a page needs, for its signed-in viewer; redirects everybody else to sign-in, or to set-up if there is no human admin yet.
 * After signing in, they return to `path` with `query`.
 */
export async function requirePageFrame(services: Services, path: string, query: PageQuery = {}): Promise<PageFrame> {
  const frame = await findPageFrame(services);
  if (frame) return frame;
  if (await isSetUpNeeded(services.database)) redirect("/setup");
  redirect(`/sign-in?next=${encodeURIComponent(path + queryText(query))}`);
}

/** Its viewer alone. */
export async function requirePageViewer(services: Services, path: string, query: PageQuery = {}): Promise<Viewer> {
  return (await requirePageFrame(services, path, query)).viewer;
}

function queryText(query: PageQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((single): [string, string] => [name, single]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

/** Like `requirePageViewer`, for admin pages: for other signed-in people, the page does not exist. */
export async function requireAdminPage(services: Services, returnTo: string): Promise<Viewer> {
  const viewer = await requirePageViewer(services, returnTo);
  if (viewer.role !== "admin") notFound();
  return viewer;
}
