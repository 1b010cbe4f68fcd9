import { TerminalError } from '@/lib/errors/errors';
import { type JsonValue, stringAt } from '@/lib/json/json';
import type { SteerWish } from '@/lib/kudo/runs/steer';

const MAX_REASON_CHARS = 1_000;

/** Reads the body of a request that steers a run. @throws TerminalError `BadRequest` */
export function parseSteerWish(body: JsonValue | undefined): SteerWish {
  const verb = stringAt(body, 'do') ?? '';
  const [phase = '', step = '', reason = ''] = ['phase', 'step', 'reason'].map((key) => stringAt(body, key)?.trim());
  switch (verb) {
    case 'pause':
    case 'resume':
    case 'cancel':
      return { do: verb };
    case 'stop-after':
      return { do: verb, phase };
    case 'skip':
      if (phase === '' || step === '') throw bad('`skip` needs `phase` and `step`.');
      if (reason === '') throw bad('Say why the step may be left out.');
      if (reason.length > MAX_REASON_CHARS) throw bad(`The reason may have ${MAX_REASON_CHARS} characters.`);
      return { do: verb, phase, step, reason };
    default:
      throw bad('`do` must be pause, resume, cancel, skip or stop-after.');
  }
}

function bad(message: string): TerminalError {
  return new TerminalError(message, 'BadRequest');
}
