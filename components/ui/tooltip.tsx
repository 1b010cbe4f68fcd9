'use client';

import { type ReactNode, useEffect, useId, useRef } from 'react';

/**
 * A short text that appears beside a control on hover and focus, and is always its description for assistive technology.
 * It lives in the top layer (popover), so no scrolling box cuts it.
 */
export function Tooltip({
  text,
  children,
  className,
}: {
  /** No tooltip when undefined; the elements stay the same, so that a focused control keeps its focus. */
  text: string | undefined;
  children: (describedBy: string | undefined) => ReactNode;
  className?: string;
}) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const show = () => {
    if (text === undefined || anchor.current === null || bubble.current === null) return;
    bubble.current.showPopover();
    place(anchor.current, bubble.current);
  };
  const hide = () => bubble.current?.hidePopover();
  // The control was enabled while its reason was shown.
  useEffect(() => {
    if (text === undefined) bubble.current?.hidePopover();
  }, [text]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches the control inside, which has the role and the keys
    <span
      ref={anchor}
      className={className ?? 'inline-flex'}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children(text === undefined ? undefined : id)}
      <span
        ref={bubble}
        id={id}
        role="tooltip"
        popover="manual"
        className="m-0 max-w-72 whitespace-normal rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-start font-normal text-ink text-xs shadow-float"
      >
        {text}
      </span>
    </span>
  );
}

const GAP = 6;

/** Below the anchor, above when there is no room, and inside the window. */
function place(anchor: HTMLElement, bubble: HTMLElement) {
  const at = anchor.getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  const below = at.bottom + GAP + size.height < window.innerHeight;
  const left = at.left + at.width / 2 - size.width / 2;
  bubble.style.inset = 'auto';
  bubble.style.top = `${below ? at.bottom + GAP : at.top - GAP - size.height}px`;
  bubble.style.left = `${Math.max(GAP, Math.min(left, window.innerWidth - size.width - GAP))}px`;
}
