import type { JsonObject } from '@/lib/json/json';
import { NOTICE_OUTCOMES } from '@/lib/kudo/runs/plan-run';
import { list, object, string } from './schema-words';

/** `status.notices` of PlanRuns and PlanApprovals. */
export function noticesSchema(description: string): JsonObject {
  const time: JsonObject = { type: 'string', format: 'date-time' };
  const entry = object('', {
    target: string('Which notice of which ConfigMap or Secret.'),
    result: string(),
    at: time,
    outcome: { ...string('Absent while it waits.'), enum: [...NOTICE_OUTCOMES] },
    endedAt: time,
  });
  return list(entry, description);
}
