"use client";
import { Ellipsis } from "lucide-react";
import { memo } from "react";
import type { Role } from "@/lib/schema/users/user";
import { placesFor } from "./nav-items";
import { PlaceLink } from "./place-link";

/** The rail of a phone: the places one needs daily; the rest is behind More. */
export const TabBar = memo(function TabBar({ role, onMore }: { role: Role; onMore: () => void }) {
  return (
    <nav
      aria-label="Main"
      data-bottom-bar
      className="flex h-14 shrink-0 border-t border-border bg-background md:hidden"
    >
      {placesFor(role)
        .filter(({ id }) => id !== "admin")
        .map((place) => (
          <PlaceLink key={place.id} place={place} className="min-w-0 flex-1" />
        ))}
      <button
        type="button"
        onClick={onMore}
        className="flex min-w-0 flex-1 flex-col items-center justify-center gap-1 text-2xs leading-none text-muted"
      >
        <Ellipsis className="size-[17px]" strokeWidth={1.75} aria-hidden />
        More
      </button>
    </nav>
  );
});
