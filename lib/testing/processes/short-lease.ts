/** For hosts of which only one lives at a time: on Postgres the next one need not wait 15 s for a dead one's leases. */
export const SHORT_LEASE = { leaseMs: 1_000, renewMs: 250 };
