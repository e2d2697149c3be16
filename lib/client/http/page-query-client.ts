import { type InvalidateOptions, type InvalidateQueryFilters, type Query, QueryClient } from "@tanstack/react-query";

/**
 * A query client that also refetches queries invalidated during their first load: the response on its way may be older
 * than the change, and the library would keep it.
 */
export class PageQueryClient extends QueryClient {
  private readonly firstLoads = new WeakSet<Query>();

  override async invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    const found = this.getQueryCache().findAll(filters).filter(isLoadingFirst);
    const outdated = new Set(found.filter((query) => !this.firstLoads.has(query)));
    for (const query of outdated) this.firstLoads.add(query);
    await super.invalidateQueries(filters, options);
    if (outdated.size === 0) return;
    for (const query of outdated) this.firstLoads.delete(query);
    await super.invalidateQueries({ predicate: (query) => outdated.has(query) }, options);
  }
}

function isLoadingFirst({ state }: Query): boolean {
  return state.data === undefined && state.fetchStatus === "fetching";
}
