interface TraceFailureProps {
  children: string;
  /** Leads to the span or the passage that tells why. */
  onShow?: () => void;
}

/** The line below a run's head: where it failed, or all that is known about why. */
export function TraceFailure({ children, onShow }: TraceFailureProps) {
  return (
    <p
      role="alert"
      className="shrink-0 border-b border-border bg-fail-soft px-4 py-1.5 text-xs break-words text-fail-text"
    >
      {children}
      {onShow === undefined ? null : (
        <>
          {" "}
          <button type="button" onClick={onShow} className="font-medium underline">
            Show the cause
          </button>
        </>
      )}
    </p>
  );
}
