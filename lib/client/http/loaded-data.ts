/** The feed's revision that this tab has heard of last; undefined before the feed is ready. */
let heardRevision: string | null | undefined;

/** Records how far the feed of changes has come. From its first `ready` on, a change reaches only the queries that exist. */
export function noteFeedRevision(revision: string | null): void {
  heardRevision = revision;
}

/**
 * Data that came with the page, as the first state of its query. `feedRevision` is the feed's from before the server
 * read them: null where it can't be known.
 */
export function loadedData<Data>(data: Data, feedRevision: string | null) {
  return { initialData: data, initialDataUpdatedAt: () => loadedAt(feedRevision) };
}

/**
 * When data that came with the page count as fetched. Until the feed is ready, that is now: its first `ready` says
 * whether anything has changed. Later, a change may have been announced before the query existed, unless the feed has
 * come no further than the data.
 */
export function loadedAt(feedRevision: string | null): number {
  const isCurrent = heardRevision === undefined || (heardRevision !== null && heardRevision === feedRevision);
  return isCurrent ? Date.now() : 0;
}
