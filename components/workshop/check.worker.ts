import { functionTable } from '@/lib/template/functions/table';
import { type CheckedDraft, checkDraft } from '@/lib/workshop/check-draft';
import { renderDraft } from '@/lib/workshop/render-draft';
import type { CheckAnswer, CheckRequest } from './check-messages';

/** Verifies and renders beside the page, so that typing never waits for it. */
const answer = (message: CheckAnswer): void => postMessage(message);

addEventListener('message', ({ data: { revision, files, wish } }: MessageEvent<CheckRequest>) => {
  const checked = checkDraft(files);
  answer({ kind: 'checked', revision, checked: withoutTemplates(checked) });
  const version = checked.objects?.operatorVersion;
  answer({
    ...{ kind: 'rendered', revision },
    rendered: version === undefined ? undefined : renderDraft(version, wish),
  });
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
