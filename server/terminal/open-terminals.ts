import { limits } from '@/lib/limits/limits';
import type { Terminal, TerminalClosing } from './terminal';

const STOPS: TerminalClosing = { status: 503, reason: 'Stopping', message: 'The console stops. Connect again.' };

/** The terminals that are open now, counted by person. */
export class OpenTerminals {
  private readonly places = new Map<symbol, { readonly person: string; terminal?: Terminal }>();
  private isClosed = false;

  /** Takes a place; why there is none. Each place that was taken must be left. */
  take(person: string): { readonly place: symbol } | { readonly refusal: TerminalClosing } {
    const { perPerson, inAll } = limits.terminal;
    if (this.isClosed) return { refusal: STOPS };
    const own = [...this.places.values()].filter((each) => each.person === person).length;
    if (own >= perPerson) return { refusal: tooMany(`You have ${perPerson} terminals open. Close one of them first.`) };
    if (this.places.size >= inAll) return { refusal: tooMany('Too many terminals are open now. Try again later.') };
    const place = Symbol('terminal');
    this.places.set(place, { person });
    return { place };
  }

  /** The terminal at a place, which is closed with the console. */
  opened(place: symbol, terminal: Terminal): void {
    const taken = this.places.get(place);
    if (taken !== undefined) taken.terminal = terminal;
    if (this.isClosed) terminal.close(STOPS);
  }

  leave(place: symbol): void {
    this.places.delete(place);
  }

  close(): void {
    this.isClosed = true;
    for (const { terminal } of this.places.values()) terminal?.close(STOPS);
  }
}

function tooMany(message: string): TerminalClosing {
  return { status: 429, reason: 'TooManyTerminals', message };
}
