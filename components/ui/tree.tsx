"use client";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Collection } from "react-aria-components/Collection";
import { Tree as AriaTree, TreeItem, TreeItemContent } from "react-aria-components/Tree";
import { classNames } from "@/lib/client/ui/class-names";

export interface TreeNode {
  id: string;
  label: string;
  icon?: ReactNode;
  /** Facts on the right: sizes, counts. */
  facts?: ReactNode;
  children?: readonly TreeNode[];
}

export interface TreeProps {
  label: string;
  nodes: readonly TreeNode[];
  selectedId?: string | null;
  onSelect?: (id: string) => void;
  expandedIds?: Iterable<string>;
  defaultExpandedIds?: Iterable<string>;
  className?: string;
}

/** Rows of 28 px; arrows move and expand, Enter selects. */
export function Tree({ label, nodes, selectedId, onSelect, expandedIds, defaultExpandedIds, className }: TreeProps) {
  return (
    <AriaTree
      aria-label={label}
      items={nodes}
      selectionMode="single"
      selectedKeys={selectedId ? [selectedId] : []}
      onSelectionChange={(keys) => {
        const first = keys === "all" ? undefined : [...keys][0];
        if (first !== undefined) onSelect?.(String(first));
      }}
      expandedKeys={expandedIds}
      defaultExpandedKeys={defaultExpandedIds}
      className={classNames("outline-none", className)}
    >
      {(node) => <TreeRow node={node} />}
    </AriaTree>
  );
}

function TreeRow({ node }: { node: TreeNode }) {
  return (
    <TreeItem
      id={node.id}
      textValue={node.label}
      className="rounded-md outline-none data-[focus-visible]:ring-2 data-[focus-visible]:ring-focus data-[hovered]:bg-default data-[selected]:bg-surface-tertiary"
    >
      <TreeItemContent>
        {({ hasChildItems, isExpanded, level }) => (
          <div className="flex h-7 items-center gap-1.5 pr-2 touch-row" style={{ paddingLeft: 4 + (level - 1) * 14 }}>
            {hasChildItems ? (
              <AriaButton slot="chevron" className="flex size-4 shrink-0 items-center justify-center text-subtle">
                <ChevronRight className={classNames("size-3.5", isExpanded && "rotate-90")} aria-hidden />
              </AriaButton>
            ) : (
              <span className="w-4 shrink-0" />
            )}
            {node.icon}
            <span className="min-w-0 flex-1 truncate font-mono text-xs" title={node.label}>
              {node.label}
            </span>
            <span className="tnum shrink-0 text-2xs text-muted">{node.facts}</span>
          </div>
        )}
      </TreeItemContent>
      <Collection items={node.children ?? []}>{(child) => <TreeRow node={child} />}</Collection>
    </TreeItem>
  );
}
