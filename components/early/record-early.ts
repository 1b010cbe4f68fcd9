/** Something that a person did before the scripts of the page ran. */
export interface EarlyEvent {
  readonly event: Event;
  /** What the field held then: React sets it back to what the server rendered. */
  readonly value: string | undefined;
  readonly checked: boolean | undefined;
}

export interface EarlyRecord {
  /** In order; who replays one takes it off. */
  readonly events: EarlyEvent[];
  /** From now on only events of these elements are recorded. */
  narrow(isWanted: (target: Element) => boolean): void;
  /** Ends the recording: from then on events reach the page. */
  stop(): void;
}

declare global {
  interface Window {
    /** Set by {@link recordEarly} until the page has taken over. */
    bravoEarly?: EarlyRecord;
  }
}

/**
 * Records what a person does while the server's HTML is shown and no script runs yet: React drops such clicks, and sets fields back.
 * It is sent to the browser as text and runs before anything else, so it may use nothing from outside of itself.
 *
 * Links work without scripts, as do forms that name where they are sent. No other form may be sent by the browser itself: it would put
 * what was typed into the address.
 */
export function recordEarly(): void {
  const limit = 500;
  const events: EarlyEvent[] = [];
  let isWanted = (_target: Element) => true;
  const types = ['click', 'input', 'change', 'submit', 'keydown'];
  // Of the keys only those that steer what has the focus. Fields and buttons do by themselves what these keys mean in them.
  const isSteering = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, target: Element) => {
    if (ctrlKey || metaKey || altKey || target === document.body) return false;
    if (target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')) return false;
    if (/auto|scroll/.test(getComputedStyle(target).overflow)) return false;
    if (/^(Arrow|Home$|End$)/.test(key)) return true;
    return /^(Enter| )$/.test(key) && target.closest('a, button, input, summary') === null;
  };
  const isLost = (event: Event, target: Element) => {
    if (event.type === 'keydown') return isSteering(event as KeyboardEvent, target);
    if (event.type === 'click') return target.closest('a[href]') === null;
    return event.type !== 'submit' || !target.hasAttribute('action');
  };
  // Popovers the browser opens and closes by itself, and would again when the click is replayed. Keys would scroll a list, so that it
  // is drawn anew, without the element that has the focus.
  const isHeldBack = (event: Event, target: Element) =>
    event.type === 'submit' ||
    event.type === 'keydown' ||
    (event.type === 'click' && target.closest('[popovertarget]') !== null);
  const record = (event: Event) => {
    const target = event.target;
    if (!(target instanceof Element) || !event.isTrusted || !isWanted(target) || !isLost(event, target)) return;
    if (isHeldBack(event, target)) event.preventDefault();
    // A part that React has taken over already must not get the event twice.
    event.stopImmediatePropagation();
    const { value, checked } = target as Partial<HTMLInputElement>;
    if (events.length < limit) events.push({ event, value, checked });
  };
  for (const type of types) window.addEventListener(type, record, true);
  window.bravoEarly = {
    events,
    narrow(next) {
      isWanted = next;
    },
    stop() {
      for (const type of types) window.removeEventListener(type, record, true);
      delete window.bravoEarly;
    },
  };
}
