import { Page } from "@/components/shell/page";
import { SkeletonList } from "@/components/ui/states/skeleton";

/** A thread while it or its part of the page is loaded. */
export function ThreadSkeleton() {
  return (
    <Page>
      <div className="h-12 shrink-0 border-b border-border" />
      <div className="mx-auto w-full max-w-[776px] px-6 pt-6">
        <SkeletonList label="Loading the thread" rows={8} rowHeight={44} className="divide-y-0" />
      </div>
    </Page>
  );
}
