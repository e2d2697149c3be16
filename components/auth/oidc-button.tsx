"use client";
import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { Button } from "@/components/ui/controls/button";
import { errorMessage } from "@/lib/client/http/api";
import { startOidc } from "@/lib/client/users/account";

export interface OidcButtonProps {
  /** The identity provider's name. */
  name: string;
  next: string;
  /** Why the last attempt led back here. */
  problem: string | null;
  /** If passwords are for administrators only: the link to that form. */
  localHref: string | null;
}

/** Leads to the identity provider; says so if it does not respond. */
export function OidcButton({ name, next, problem, localHref }: OidcButtonProps) {
  const start = useMutation({
    mutationFn: () => startOidc(next),
    onSuccess: (url) => window.location.assign(url),
  });
  const said = start.error ? errorMessage(start.error) : problem;
  return (
    <div className="flex flex-col gap-3">
      {said === null ? null : (
        <p role="alert" className="rounded-md bg-fail-soft px-2.5 py-1.5 text-sm text-fail-text">
          {said}
        </p>
      )}
      <Button
        variant={localHref === null ? "outline" : "primary"}
        size="md"
        isPending={start.isPending || start.isSuccess}
        onPress={() => start.mutate()}
      >
        Continue with {name}
      </Button>
      {localHref === null ? null : (
        <Link href={localHref} className="self-start text-xs text-muted hover:text-foreground hover:underline">
          Sign in with a password, for administrators
        </Link>
      )}
    </div>
  );
}
