/** Stands still: a ring with two bars. Decorative, because the word is next to it. */
export function PausedRing({ size = 12 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      aria-hidden
      className="shrink-0"
    >
      <circle cx="7" cy="7" r="5.4" />
      <path d="M5.6 5v4M8.4 5v4" strokeLinecap="round" strokeWidth="1.3" />
    </svg>
  );
}
