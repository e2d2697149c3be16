import { classNames } from "@/lib/client/ui/class-names";

/** Two open rings and a core: the loop and the hooks around it. */
export function Mark({ size = 22, className }: { size?: number; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      aria-hidden="true"
      className={classNames("shrink-0 text-foreground", className)}
    >
      <path d="M17.8 3.7A10.2 10.2 0 1 0 21.6 8.6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path d="M7.5 8.2A5.9 5.9 0 1 0 12 6.1" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <circle cx="12" cy="12" r="2" className="fill-signal" />
    </svg>
  );
}
