const BAR_PX = 7;
const HEIGHT_PX = 20;

/** Runs by day as bars, today's in ink. */
export function DayBars({ days }: { days: readonly number[] }) {
  const most = Math.max(1, ...days);
  const width = days.length * BAR_PX;
  const total = days.reduce((sum, runs) => sum + runs, 0);
  return (
    <svg
      role="img"
      aria-label={`${total} runs in ${days.length} days, ${days.at(-1) ?? 0} of them today`}
      width={width}
      height={HEIGHT_PX}
      viewBox={`0 0 ${width} ${HEIGHT_PX}`}
    >
      {days.map((runs, index) => {
        const height = runs === 0 ? 1 : Math.max(2, (runs / most) * HEIGHT_PX);
        const look = index === days.length - 1 ? "fill-foreground" : runs === 0 ? "fill-border" : "fill-kind-hook";
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a day has no name here but its place.
            key={index}
            x={index * BAR_PX}
            y={HEIGHT_PX - height}
            width={BAR_PX - 2}
            height={height}
            className={look}
          />
        );
      })}
    </svg>
  );
}
