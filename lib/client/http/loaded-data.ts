let feedWasReady = false;

/** The feed of changes has become ready: from now on, changes are announced only to queries that exist. */
export function noteFeedReady(): void {
  feedWasReady = true;
}

/**
 * Data that came with the page, as the first state of its query. A change between the server's read and the creation of
 * the query was announced to nobody once the feed is ready, so the query then fetches at once; before that, the feed's
 * first `ready` makes it fetch.
 */
export function loadedData<Data>(data: Data) {
  return { initialData: data, initialDataUpdatedAt: loadedAt };
}

/** When data that came with the page counts as fetched. */
export function loadedAt(): number {
  return feedWasReady ? 0 : Date.now();
}
