import type { Tone } from '@/lib/kudo/view/status-words';

/** Text colour of a tone. Written out so that Tailwind finds the names. */
export const toneText: { readonly [tone in Tone]: string } = {
  ok: 'text-ok',
  run: 'text-run',
  wait: 'text-wait',
  fail: 'text-fail',
  hold: 'text-hold',
  idle: 'text-idle',
};

/** Soft background of a tone. */
export const toneSoft: { readonly [tone in Tone]: string } = {
  ok: 'bg-ok-soft',
  run: 'bg-run-soft',
  wait: 'bg-wait-soft',
  fail: 'bg-fail-soft',
  hold: 'bg-hold-soft',
  idle: 'bg-idle-soft',
};

/** Full background of a tone, for segments and dots. */
export const toneSolid: { readonly [tone in Tone]: string } = {
  ok: 'bg-ok',
  run: 'bg-run',
  wait: 'bg-wait',
  fail: 'bg-fail',
  hold: 'bg-hold',
  idle: 'bg-idle',
};
