import { SkeletonList } from "@/components/ui/states/skeleton";
import { ErrorState } from "@/components/ui/states/state-block";
import { summarizeError } from "@/lib/client/http/error-summary";

export function FileLoading() {
  return <SkeletonList label="Loading the file" rows={8} rowHeight={20} hasGlyph={false} className="p-4" />;
}

/** In place of a file that could not be loaded. */
export function FileProblem({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  const { message, ...facts } = summarizeError(error);
  return (
    <ErrorState title="The file can't be shown" {...facts} onRetry={() => void onRetry()}>
      {message}
    </ErrorState>
  );
}

/** In place of a file that has nothing to show here, why. */
export function FileNote({ children }: { children: string }) {
  return <p className="p-4 text-sm text-muted">{children}</p>;
}
