"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { GrantList } from "@/components/inbox/grant-list";
import { Select } from "@/components/ui/controls/select";
import { ShowMore } from "@/components/ui/show-more";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { ownedGrantsQuery } from "@/lib/client/chat/asks/decisions";
import { everyUserQuery } from "@/lib/client/users/user-queries";
import { EVERYONE } from "@/lib/schema/runs/interrupt";

/** The calls that people have allowed, everyone's or one person's. Members find their own in the inbox. */
export function GrantsPanel({ viewerId }: { viewerId: string }) {
  const [owner, setOwner] = useQueryState("owner", { defaultValue: EVERYONE });
  const users = useQuery(everyUserQuery);
  const people = (users.data ?? []).map(({ id, name, email }) => ({ id, name, description: email }));
  const isUnknown = owner !== EVERYONE && !people.some(({ id }) => id === owner);
  return (
    <>
      <div className="mx-auto w-full max-w-[776px] px-6 pt-5 max-sm:px-3">
        <Select
          label="Allowed by"
          options={[{ id: EVERYONE, name: "Everyone" }, ...(isUnknown ? [{ id: owner, name: owner }] : []), ...people]}
          value={owner}
          onChange={(id) => void setOwner(id)}
          className="max-w-80"
        />
      </div>
      <Grants ownerId={owner} viewerId={viewerId} />
    </>
  );
}

function Grants({ ownerId, viewerId }: { ownerId: string; viewerId: string }) {
  const query = useInfiniteQuery(ownedGrantsQuery(ownerId));
  return (
    <QueryState what="allowed calls" query={query}>
      {({ pages }) => {
        const grants = pages.flatMap((page) => page.grants);
        return grants.length === 0 ? (
          <EmptyState title="No allowed calls">
            A call that a person allows for a whole thread is listed here until it expires or is revoked.
          </EmptyState>
        ) : (
          <>
            <GrantList grants={grants} viewerId={viewerId} />
            <ShowMore query={query} className="mx-auto max-w-[776px] px-6 pb-6 max-sm:px-3" />
          </>
        );
      }}
    </QueryState>
  );
}
