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
  const types = ['click', 'input', 'change', 'submit'];
  const record = (event: Event) => {
    const target = event.target;
    if (!(target instanceof Element) || !event.isTrusted || !isWanted(target)) return;
    if (event.type === 'click' && target.closest('a[href]') !== null) return;
    if (event.type === 'submit') {
      if (target.hasAttribute('action')) return;
      event.preventDefault();
    }
    // The browser opens and closes popovers by itself, and would do so again when the click is replayed.
    if (event.type === 'click' && target.closest('[popovertarget]') !== null) event.preventDefault();
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
