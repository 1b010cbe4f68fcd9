import { limits } from '@/lib/limits/limits';
import { installDraft } from '@/server/catalogue/install-draft';
import { withExecution } from '@/server/http/execution-header';
import { json, route } from '@/server/http/route';

/** `{files, namespace, instance, parameters}`: installs a draft of the workshop, which does not come into the catalogue. */
export const POST = route(
  async ({ body, session, signal }) => {
    const installed = await installDraft(body, session.api, signal);
    return withExecution(json(installed, 201), installed);
  },
  { maxBodyBytes: limits.workshop.bodyBytes },
);
