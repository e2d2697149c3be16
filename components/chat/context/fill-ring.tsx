const RADIUS = 5.4;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/** A ring filled by `share` (0 to 1), dotted while the share is unknown. */
export function FillRing({ share }: { share: number | null }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
      <circle cx="7" cy="7" r={RADIUS} opacity=".3" strokeDasharray={share === null ? "1.7 1.7" : undefined} />
      {share === null ? null : (
        <circle
          cx="7"
          cy="7"
          r={RADIUS}
          strokeDasharray={`${Math.min(1, share) * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
          transform="rotate(-90 7 7)"
        />
      )}
    </svg>
  );
}
