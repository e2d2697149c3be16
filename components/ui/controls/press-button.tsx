"use client";
import {
  type ButtonHTMLAttributes,
  type ComponentType,
  createContext,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type Ref,
  useContext,
} from "react";

/** Whose types the component library has of its own. */
type Narrowed = "onFocus" | "onBlur" | "onKeyDown" | "onKeyUp" | "value";

type Attributes = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "onClick" | "disabled" | "tabIndex" | Narrowed>;

export interface PressButtonProps extends Attributes {
  onPress?: (() => void) | undefined;
  isDisabled?: boolean | undefined;
  /** Keeps the focus and does nothing. */
  isPending?: boolean | undefined;
  /** For one that the keyboard reaches by another way. */
  excludeFromTabOrder?: boolean | undefined;
  value?: string | undefined;
  onFocus?: ((event: FocusEvent) => void) | undefined;
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** What the element around a button adds to it, because the button opens that element's menu. */
export interface Trigger {
  readonly attributes: Pick<Attributes, "aria-haspopup" | "aria-expanded">;
  readonly onPointerEnter: (event: PointerEvent) => void;
  readonly onPress: (by: "keys" | "pointer") => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export const TriggerContext = createContext<Trigger | null>(null);

/** The button to render in the place of a plain one: that of a library whose element has to know its trigger. */
export const ButtonComponentContext = createContext<ComponentType<PressButtonProps> | null>(null);

/**
 * A browser's own button. Every page has dozens, and each button of the component library is rendered a second time
 * after hydration, which would keep a phone busy for a third of a second.
 */
export function PressButton(props: PressButtonProps) {
  const OtherButton = useContext(ButtonComponentContext);
  return OtherButton === null ? <PlainButton {...props} /> : <OtherButton {...props} />;
}

function PlainButton({
  onPress,
  isDisabled,
  isPending = false,
  excludeFromTabOrder,
  type = "button",
  onKeyDown,
  onPointerEnter,
  children,
  ...attributes
}: PressButtonProps) {
  const trigger = useContext(TriggerContext);
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // What lies below, a row or a card, isn't pressed.
    event.stopPropagation();
    if (isPending) {
      event.preventDefault();
      return;
    }
    // Safari doesn't focus a button that is clicked: a dialog could not give the focus back.
    if (document.activeElement !== event.currentTarget) event.currentTarget.focus({ preventScroll: true });
    trigger?.onPress(event.detail === 0 ? "keys" : "pointer");
    onPress?.();
  };
  const pressKey = (event: KeyboardEvent<HTMLButtonElement>) => {
    trigger?.onKeyDown(event);
    onKeyDown?.(event);
    if (event.key !== "Enter" && event.key !== " ") return;
    // Nor is it for the page's keys.
    event.stopPropagation();
    // A key that is held presses once.
    if (event.repeat) event.preventDefault();
  };
  return (
    <button
      {...attributes}
      {...trigger?.attributes}
      type={type}
      disabled={isDisabled}
      aria-disabled={isPending ? true : attributes["aria-disabled"]}
      tabIndex={excludeFromTabOrder ? -1 : undefined}
      onClick={press}
      onKeyDown={pressKey}
      onPointerEnter={(event) => {
        trigger?.onPointerEnter(event);
        onPointerEnter?.(event);
      }}
    >
      {children}
    </button>
  );
}
