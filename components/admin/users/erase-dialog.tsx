"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { formatCount } from "@/lib/client/ui/text/format";
import { eraseUser, erasureQuery, exportUser } from "@/lib/client/users/erasure-queries";
import { usersQuery } from "@/lib/client/users/user-queries";
import type { Erasure } from "@/lib/schema/users/erasure";
import type { User } from "@/lib/schema/users/user";

/** Lists a user's data, offers it as a download, and erases it once the email address was typed. */
export function EraseDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [address, setAddress] = useState("");
  const found = useQuery(erasureQuery(user.id));
  const erase = useMutation({
    mutationFn: eraseUser,
    onSuccess: (erasure) => {
      queryClient.setQueryData(erasureQuery(user.id).queryKey, erasure);
      void queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
    },
  });
  const hasBegun = found.data !== undefined && found.data.state !== "asked";
  const isTyped = address.trim().toLowerCase() === found.data?.confirm?.toLowerCase();
  return (
    <FormDialog
      title={hasBegun ? "Erasing a user" : `Erase ${user.name} for good?`}
      submitLabel="Erase for good"
      cancelLabel={hasBegun ? "Close" : "Cancel"}
      isValid={isTyped}
      isPending={erase.isPending}
      error={erase.error}
      onSubmit={() => erase.mutate({ id: user.id, confirm: address })}
      onClose={onClose}
      after={
        hasBegun ? null : (
          <Button variant="ghost" className="mt-3" onPress={() => exportUser(user.id)}>
            <Download aria-hidden /> Download their data first
          </Button>
        )
      }
    >
      <QueryState what="the user's data" query={found}>
        {(erasure) => (hasBegun ? <Progress erasure={erasure} /> : <Belongings erasure={erasure} />)}
      </QueryState>
      {hasBegun || found.data === undefined ? null : (
        <TextField
          label={`Type ${found.data.confirm} to confirm`}
          autoComplete="off"
          value={address}
          onChange={setAddress}
          autoFocus
        />
      )}
    </FormDialog>
  );
}

function Belongings({ erasure }: { erasure: Erasure }) {
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>This deletes {countText(erasure)}. It can't be undone.</p>
      <p className="text-muted">
        Sessions and API keys end at once, and the name and the email address are removed. The audit log keeps what was
        done without the values, and the usage keeps the runs without a name. Backups made earlier still contain
        everything.
      </p>
    </div>
  );
}

function Progress({ erasure }: { erasure: Erasure }) {
  const text = erasure.state === "erased" ? "Everything is deleted." : `Deleting. Left: ${countText(erasure)}.`;
  return (
    <p role="status" className="text-sm">
      {text}
    </p>
  );
}

function countText({ threads, runs, workspaces, apiKeys }: Erasure): string {
  const counts = [
    [threads, "thread", "threads"],
    [runs, "run", "runs"],
    [workspaces, "workspace", "workspaces"],
    [apiKeys, "API key", "API keys"],
  ] as const;
  const words = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${formatCount(count)} ${count === 1 ? one : many}`);
  return words.length === 0 ? "the account" : `the account, ${words.join(", ")}`;
}
