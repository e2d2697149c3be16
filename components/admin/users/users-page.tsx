"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Download, Ellipsis, Eraser, KeyRound, MonitorSmartphone, Plus, UserPlus, UserX } from "lucide-react";
import dynamic from "next/dynamic";
import { parseAsBoolean, parseAsStringLiteral, useQueryState } from "nuqs";
import { useRef, useState } from "react";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { usePageKeys } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Select } from "@/components/ui/controls/select";
import { Tabs } from "@/components/ui/controls/tabs";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { Menu } from "@/components/ui/overlays/menu";
import type { MenuAction } from "@/components/ui/overlays/menu-props";
import { ShowMore } from "@/components/ui/show-more";
import { QueryState } from "@/components/ui/states/query-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";
import { useRowKeys } from "@/lib/client/ui/input/use-row-keys";
import { useAction } from "@/lib/client/ui/use-action";
import { exportUser } from "@/lib/client/users/erasure-queries";
import { createPasswordLink } from "@/lib/client/users/link-queries";
import { updateUser, usersQuery } from "@/lib/client/users/user-queries";
import type { CreatedLink } from "@/lib/schema/users/account-link";
import { effectiveRole, Role, type UpdateUserBody, type User } from "@/lib/schema/users/user";
import { AddUserDialog, ROLE_OPTIONS } from "./add-user-dialog";
import { EraseDialog } from "./erase-dialog";
import { GroupDialog } from "./group-dialog";
import { GroupsTab } from "./groups-tab";
import { InvitationsTab } from "./invitations-tab";
import { InviteDialog } from "./invite-dialog";
import { LinkDialog } from "./link-dialog";
import { SessionsDialog } from "./sessions-dialog";

/** Rarely used, so it loads when it is opened. */
const SignInTab = dynamic(async () => (await loadWithRetry(() => import("./sign-in-tab"))).SignInTab, {
  loading: () => <SkeletonList label="Loading the sign-in settings" rows={6} className="p-4" />,
});

const COLUMNS = [
  { id: "name", label: "Name", className: "w-full" },
  { id: "email", label: "Email", className: "max-md:hidden" },
  { id: "role", label: "Role" },
  { id: "since", label: "Since", align: "right", className: "max-sm:hidden" },
  { id: "actions", label: "Actions", align: "right", isLabelHidden: true },
] as const;

const TAB = parseAsStringLiteral(["users", "groups", "invitations", "sign-in"]).withDefault("users");

const PAGE_KEYS = [
  { keys: "c", does: "Invite, or new group" },
  { keys: "j k", does: "Next and previous row" },
] as const;

export function UsersPage({ viewerId }: { viewerId: string }) {
  const users = useInfiniteQuery(usersQuery);
  const [isAdding, setAdding] = useState(false);
  const [isInviting, setInviting] = useQueryState("invite", parseAsBoolean.withDefault(false));
  const [isGrouping, setGrouping] = useState(false);
  const [tab, setTab] = useQueryState("tab", TAB);
  const page = useRef<HTMLElement>(null);
  usePageKeys(PAGE_KEYS);
  useRowKeys(page, {
    others: tab === "sign-in" ? {} : { c: () => (tab === "groups" ? setGrouping(true) : void setInviting(true)) },
  });
  return (
    <Page ref={page}>
      <PageHead
        title="People"
        actions={
          tab === "groups" ? (
            <Button variant="primary" onPress={() => setGrouping(true)}>
              <Plus aria-hidden />
              New group
            </Button>
          ) : tab === "sign-in" ? null : (
            <span className="flex gap-1.5">
              <Button onPress={() => setAdding(true)}>Add user</Button>
              <Button variant="primary" onPress={() => void setInviting(true)}>
                <UserPlus aria-hidden />
                Invite
              </Button>
            </span>
          )
        }
      />
      <Tabs
        label="People"
        className="flex-1"
        selected={tab}
        onSelect={(id) => void setTab(TAB.parse(id))}
        items={[
          {
            id: "users",
            label: "Users",
            content: (
              <>
                <QueryState what="users" query={users}>
                  {(found) => <UserTable users={found} viewerId={viewerId} />}
                </QueryState>
                <ShowMore query={users} className="p-4" />
              </>
            ),
          },
          { id: "groups", label: "Groups", content: <GroupsTab onAdd={() => setGrouping(true)} /> },
          {
            id: "invitations",
            label: "Invitations",
            content: <InvitationsTab onInvite={() => void setInviting(true)} />,
          },
          { id: "sign-in", label: "Sign-in", content: <SignInTab /> },
        ]}
      />
      {isGrouping ? <GroupDialog group={null} onClose={() => setGrouping(false)} /> : null}
      {isAdding ? <AddUserDialog onClose={() => setAdding(false)} /> : null}
      {isInviting ? <InviteDialog onClose={() => void setInviting(null)} /> : null}
    </Page>
  );
}

function UserTable({ users, viewerId }: { users: readonly User[]; viewerId: string }) {
  const [leaving, setLeaving] = useState<User | null>(null);
  const [shown, setShown] = useState<User | null>(null);
  const [erased, setErased] = useState<User | null>(null);
  const [link, setLink] = useState<CreatedLink | null>(null);
  const makeLink = useAction({
    mutationFn: createPasswordLink,
    onSuccess: setLink,
  });
  const change = useAction({
    mutationFn: updateUser,
    invalidates: [usersQuery.queryKey],
  });
  return (
    <>
      <Table label="Users">
        <TableHead columns={COLUMNS} />
        <tbody>
          {users.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              isViewer={user.id === viewerId}
              pending={change.isPending && change.variables.id === user.id ? change.variables.change : null}
              onRole={(role) => change.mutate({ id: user.id, change: { role } })}
              onDeactivate={() => setLeaving(user)}
              onSessions={() => setShown(user)}
              onErase={() => setErased(user)}
              onPasswordLink={() => makeLink.mutate(user.id)}
              onReactivate={() => change.mutate({ id: user.id, change: { deactivated: false } })}
            />
          ))}
        </tbody>
      </Table>
      <ConfirmDialog
        title={`Deactivate ${leaving?.name ?? "user"}?`}
        confirmLabel="Deactivate"
        isOpen={leaving !== null}
        onConfirm={() => leaving && change.mutate({ id: leaving.id, change: { deactivated: true } })}
        onClose={() => setLeaving(null)}
      >
        Their sessions and API keys end at once. Their work stays, and you can reactivate them.
      </ConfirmDialog>
      {erased ? <EraseDialog user={erased} onClose={() => setErased(null)} /> : null}
      {shown ? <SessionsDialog user={shown} onClose={() => setShown(null)} /> : null}
      {link ? (
        <LinkDialog title="Send them this link" link={link} onClose={() => setLink(null)}>
          The person who opens it chooses a new password for this account.
        </LinkDialog>
      ) : null}
    </>
  );
}

interface UserRowProps {
  user: User;
  isViewer: boolean;
  /** The change being sent to the server. */
  pending: UpdateUserBody | null;
  onRole: (role: Role) => void;
  onDeactivate: () => void;
  onSessions: () => void;
  onErase: () => void;
  onPasswordLink: () => void;
  onReactivate: () => void;
}

function UserRow({ user, isViewer, pending, onRole, ...on }: UserRowProps) {
  const isOut = user.deactivatedAt !== null;
  const isErased = user.erasedAt !== null;
  const dataActions: MenuAction[] = [
    {
      id: "export",
      label: "Download their data",
      icon: <Download />,
      startsGroup: true,
      onAction: () => exportUser(user.id),
    },
    {
      id: "erase",
      label: "Erase …",
      icon: <Eraser />,
      isDanger: true,
      isDisabled: isViewer,
      onAction: on.onErase,
    },
  ];
  return (
    <TableRow>
      <TableCell className={classNames("max-w-0 truncate", isOut ? "text-muted" : "font-medium")}>
        <span title={user.name}>{user.name}</span>
        {isViewer ? <Tag className="ml-2">you</Tag> : null}
        {isOut ? <Tag className="ml-2">{isErased ? "erased" : "deactivated"}</Tag> : null}
        {user.groupRole !== null && effectiveRole(user.role, user.groupRole) !== user.role ? (
          <Tag className="ml-2" title="One of their groups gives them this role.">
            {user.groupRole} by group
          </Tag>
        ) : null}
        <span className="block truncate text-xs font-normal text-muted md:hidden">{user.email}</span>
      </TableCell>
      <TableCell className="text-muted max-md:hidden">{user.email}</TableCell>
      <TableCell>
        <Select
          look="bare"
          label={`Role of ${user.name}`}
          options={ROLE_OPTIONS}
          value={pending?.role ?? user.role}
          isDisabled={isOut || isViewer}
          onChange={(role) => onRole(Role.parse(role))}
        />
      </TableCell>
      <TableCell align="right" className="text-muted max-sm:hidden">
        <Time at={user.createdAt} />
      </TableCell>
      <TableCell align="right">
        {isErased || !isOut ? null : (
          <Button variant="ghost" isPending={pending !== null} onPress={on.onReactivate}>
            Reactivate
          </Button>
        )}
        {isErased ? null : (
          <Menu
            label={`Actions for ${user.name}`}
            trigger={
              <IconButton label={`Actions for ${user.name}`}>
                <Ellipsis />
              </IconButton>
            }
            actions={
              isOut
                ? dataActions
                : [
                    { id: "sessions", label: "Sessions …", icon: <MonitorSmartphone />, onAction: on.onSessions },
                    { id: "password", label: "Password link …", icon: <KeyRound />, onAction: on.onPasswordLink },
                    {
                      id: "deactivate",
                      label: "Deactivate …",
                      icon: <UserX />,
                      isDanger: true,
                      isDisabled: isViewer,
                      startsGroup: true,
                      onAction: on.onDeactivate,
                    },
                    ...dataActions,
                  ]
            }
          />
        )}
      </TableCell>
    </TableRow>
  );
}
