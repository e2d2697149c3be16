let feedWasReady = false;

/** Records that the feed of changes is ready. From now on a change reaches only the queries that exist. */
export function noteFeedReady(): void {
  feedWasReady = true;
}

/**
 * Data that came with the page, as the first state of its query. Once the feed is ready, the query fetches at once: a
 * change after the server's read may have been announced before the query existed. Before that, the feed's first
 * `ready` says whether anything has changed.
 */
export function loadedData<Data>(data: Data) {
  return { initialData: data, initialDataUpdatedAt: loadedAt };
}

/** When data that came with the page counts as fetched. */
export function loadedAt(): number {
  return feedWasReady ? 0 : Date.now();
}
