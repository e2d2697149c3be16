"use client";
import dynamic from "next/dynamic";

/** Cards that few threads show; they are loaded when one is needed. */
export const BudgetCard = dynamic(() => import("./budget-card").then((module) => module.BudgetCard), {
  loading: () => null,
});
export const ConnectCard = dynamic(() => import("./connect-card").then((module) => module.ConnectCard), {
  loading: () => null,
});
export const PatternForm = dynamic(() => import("./pattern-form").then((module) => module.PatternForm), {
  loading: () => null,
});
