/** "$0.50", "$0.471", "$1,200". */
export function formatUsd(usd: number): string {
  const digits = usd > 0 && usd < 1 ? 3 : 2;
  const [whole, cents = ""] = usd.toFixed(digits).split(".");
  const grouped = Number(whole).toLocaleString("en");
  if (Number(cents) === 0) return usd > 0 && Number(whole) === 0 ? "less than $0.001" : `$${grouped}`;
  return `$${grouped}.${cents.length === 3 && cents.endsWith("0") ? cents.slice(0, 2) : cents}`;
}
