"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { Count } from "@/components/ui/tag";
import { approvalsQuery } from "@/lib/client/chat/asks/decisions";
import { isAt, type Place } from "./nav-items";

/** Number of calls that wait for the viewer; 0 until known. */
export function useWaitingCount(): number {
  return useQuery(approvalsQuery).data?.total ?? 0;
}

/** A place as an icon over its name, in the rail and in a phone's bar; the inbox with what waits. */
export function PlaceLink({ place, className }: { place: Place; className: string }) {
  const pathname = usePathname();
  const waiting = useWaitingCount();
  const count = place.id === "inbox" ? waiting : 0;
  return (
    <Link
      href={place.href}
      aria-current={isAt(place, pathname) ? "page" : undefined}
      className={`relative flex flex-col items-center justify-center gap-1 text-2xs leading-none text-muted aria-[current=page]:font-medium aria-[current=page]:text-foreground ${className}`}
    >
      <place.icon className="size-[17px]" strokeWidth={1.75} aria-hidden />
      {place.label}
      {count === 0 ? null : (
        <span className="absolute top-1 left-1/2 ml-1.5">
          <Count signal>
            {count} <span className="sr-only">waiting for you</span>
          </Count>
        </span>
      )}
    </Link>
  );
}
