import type { JsonObject } from '@/lib/json/json';
import type { ChangePreview } from '@/lib/kudo/admission/triggers';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import { Refusal } from '@/server/http/problem';

/**
 * The annotations that a write needs when it starts a destructive plan; empty when it does not.
 *
 * @param confirmed what the person confirmed, as text of the annotation
 * @throws Refusal 422 `NotConfirmed` when that is something else: the page showed another plan, or an old client sent no confirmation
 */
export function confirmedAnnotations(preview: ChangePreview, confirmed: string | undefined): JsonObject {
  const { plan = '', confirmation, instance } = preview;
  if (confirmation === undefined) return {};
  if (confirmed === confirmation) return { [CONFIRM_ANNOTATION]: confirmation };
  const message = `Plan ${plan} of Instance ${instance.metadata.name ?? ''} deletes or replaces data, and was not confirmed. Type the name of the instance to confirm it.`;
  throw new Refusal(422, 'NotConfirmed', message);
}
