"use client";
import dynamic from "next/dynamic";

/** What few threads show is loaded with the first one that does. */
export const BudgetCard = dynamic(() => import("./budget-card").then((module) => module.BudgetCard));
export const PatternForm = dynamic(() => import("./pattern-form").then((module) => module.PatternForm));
