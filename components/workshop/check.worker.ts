import { systemClock, type Timer } from '@/lib/clock/clock';
import type { KnownRenderings } from '@/lib/kudo/verify/check-rendering';
import { functionTable } from '@/lib/template/functions/table';
import { type CheckedDraft, checkDraft } from '@/lib/workshop/check-draft';
import { renderDraft } from '@/lib/workshop/render-draft';
import type { CheckAnswer, CheckRequest } from './check-messages';

/** Verifies and renders beside the page, so that typing never waits for it. */
const answer = (message: CheckAnswer): void => postMessage(message);

/** A rendering takes as long as some verifications: while somebody types fast, it does not keep the next verdict waiting. */
const RENDER_AFTER_MS = 100;

const renderings: KnownRenderings = new Map();
let rendering: Timer | undefined;

addEventListener('message', ({ data: { revision, files, wish } }: MessageEvent<CheckRequest>) => {
  rendering?.cancel();
  const checked = checkDraft(files, renderings);
  answer({ kind: 'checked', revision, checked: withoutTemplates(checked) });
  const version = checked.objects?.operatorVersion;
  if (version === undefined) return;
  rendering = systemClock.after(RENDER_AFTER_MS, () =>
    answer({ kind: 'rendered', revision, rendered: renderDraft(version, wish) }),
  );
});

answer({ kind: 'ready', functions: Object.keys(functionTable('sprig3')).sort() });

function withoutTemplates(checked: CheckedDraft): CheckedDraft {
  if (checked.objects === undefined) return checked;
  const { operator, operatorVersion } = checked.objects;
  return {
    ...checked,
    objects: { operator, operatorVersion: { ...operatorVersion, spec: { ...operatorVersion.spec, templates: {} } } },
  };
}
