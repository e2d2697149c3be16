"use client";
import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/ui/states/query-state";
import { settingsQuery, statusQuery, storageQuery } from "@/lib/client/settings/settings-queries";
import { formatBytes } from "@/lib/client/ui/text/format";
import { SectionBody } from "./settings-field";
import { SettingsFrame } from "./settings-frame";
import type { SectionProps } from "./settings-page";

/** The version, and the platform it runs on. */
export function VersionSection({ section }: SectionProps) {
  const status = useQuery(statusQuery);
  const storage = useQuery(storageQuery).data;
  const fixed = useQuery(settingsQuery).data?.fixed ?? {};
  return (
    <SettingsFrame section={section}>
      <QueryState what="version" query={status}>
        {({ version, publicUrl, database }) => (
          <SectionBody intro="What to name when you report a problem.">
            <dl className="grid grid-cols-[160px_minmax(0,1fr)] gap-y-2 text-sm max-sm:grid-cols-1 max-sm:gap-y-0.5">
              <Fact name="Version">{version}</Fact>
              <Fact name="Address">{publicUrl}</Fact>
              <Fact name="Database">{database === "sqlite" ? "SQLite" : "PostgreSQL"}</Fact>
              <Fact name="Data directory">{storage?.dataDirectory ?? "…"}</Fact>
              <Fact name="Size">{storage ? formatBytes(storage.totalBytes) : "…"}</Fact>
              {Object.entries(fixed).map(([name, variable]) => (
                <Fact key={name} name={variable}>
                  decides {name}
                </Fact>
              ))}
            </dl>
          </SectionBody>
        )}
      </QueryState>
    </SettingsFrame>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="min-w-0 break-words text-muted">{name}</dt>
      <dd className="mb-1 min-w-0 break-words">{children}</dd>
    </>
  );
}
