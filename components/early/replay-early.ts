import { browserClock } from '@/components/live/clock';
import type { EarlyEvent, EarlyRecord } from './record-early';
import { isTakenOver } from './taken-over';

const LOOK_EVERY_MS = 50;
const LONGEST_MS = 15_000;

/**
 * Gives the page what a person did before it ran, in order, each event as soon as its part of the page has been taken over. Until all
 * parts are, events of the others are still recorded.
 *
 * @param waiting elements that were not taken over when the frame was
 */
export function replayWhenTaken(early: EarlyRecord, waiting: ReadonlySet<Element>): void {
  const startMs = browserClock.now();
  let isReplaying = false;
  let steered: Element | undefined;
  const isWaiting = (target: EventTarget | null) =>
    target instanceof Element && target.isConnected && waiting.has(target) && !isTakenOver(target);
  const isLate = () => browserClock.now() - startMs >= LONGEST_MS;
  /** Replays the first event if its part is there; undefined if it is not, or there is none. */
  const replayNext = (): EarlyEvent | undefined => {
    const next = early.events[0];
    if (next === undefined || isReplaying || (!isLate() && isWaiting(next.event.target))) return undefined;
    early.events.shift();
    const { event } = next;
    const target = event.target as Element;
    isReplaying = true;
    if (event instanceof KeyboardEvent) pressAgain(event, target, steered);
    else if (target.isConnected) replay(next, target);
    steered = event instanceof KeyboardEvent ? target : undefined;
    isReplaying = false;
    return next;
  };
  // What a person does now comes after what was recorded, also when its part was there before the next look.
  early.narrow((target) => {
    while (replayNext() !== undefined);
    return isWaiting(target);
  });
  const pass = () => {
    let last = replayNext();
    // A key means what the one before has drawn, which may take the page a moment.
    while (last !== undefined && !(last.event instanceof KeyboardEvent)) last = replayNext();
    if (early.events.length === 0 && (isLate() || ![...waiting].some(isWaiting))) early.stop();
    else browserClock.after(LOOK_EVERY_MS, pass);
  };
  pass();
}

function replay({ event, value, checked }: EarlyEvent, target: Element): void {
  if (event instanceof SubmitEvent) (target as HTMLFormElement).requestSubmit(event.submitter);
  else if (event instanceof MouseEvent) clickAgain(event, target);
  else if (target instanceof HTMLInputElement && ['checkbox', 'radio'].includes(target.type)) {
    if (event.type === 'change') toggleAgain(target, checked === true);
  } else if (target instanceof HTMLInputElement && target.type === 'file') {
    if (event.type === 'change') chooseAgain(target);
  } else if (isField(target) && event.type === (target instanceof HTMLSelectElement ? 'change' : 'input'))
    fillAgain(target, value ?? '');
}

/** Each of several keys would have gone to what the one before gave the focus to. */
function pressAgain({ key, shiftKey }: KeyboardEvent, target: Element, steered: Element | undefined): void {
  const focused = target === steered ? document.activeElement : null;
  (focused ?? target).dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isField = (target: Element): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/** A field, and a button that sends its form, did what a click does, and an event of its own says so. */
function clickAgain({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent, target: Element): void {
  if (target.closest('input, textarea, select, label, summary') !== null) return;
  const button = target.closest('button');
  if (button !== null && button.type === 'submit' && button.form !== null) return;
  target.dispatchEvent(
    new MouseEvent('click', { ctrlKey, metaKey, shiftKey, altKey, bubbles: true, cancelable: true }),
  );
}

function toggleAgain(field: HTMLInputElement, checked: boolean): void {
  field.checked = !checked;
  field.click();
}

/** Chosen files go with the value of their field, and React notices a new value only. */
function chooseAgain(field: HTMLInputElement): void {
  const chosen = new DataTransfer();
  for (const file of field.files ?? []) chosen.items.add(file);
  field.value = '';
  field.files = chosen.files;
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** React compares with the value that was set last by the property that it put on the element: the element's class sets past that. */
function fillAgain(field: Field, value: string): void {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {};
  const caret = field instanceof HTMLSelectElement ? null : field.selectionStart;
  if (!(field instanceof HTMLSelectElement)) field.value = value === '' ? ' ' : '';
  set?.call(field, value);
  if (!(field instanceof HTMLSelectElement) && caret !== null) field.setSelectionRange(caret, caret);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}
