import { type InvalidateOptions, type InvalidateQueryFilters, type Query, QueryClient } from "@tanstack/react-query";

/**
 * The query cache of a page. What is invalidated while it loads for the first time is loaded again afterwards: its
 * response may be older than the change, and the library would keep it.
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
