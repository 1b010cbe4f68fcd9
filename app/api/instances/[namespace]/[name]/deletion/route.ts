import { json, route } from '@/server/http/route';
import { previewDeletion } from '@/server/instances/deletion-preview';

/** What deleting the Instance would do. */
export const GET = route<{ namespace: string; name: string }>(async ({ session, params, signal }) =>
  json(await previewDeletion(session.api, params, signal)),
);
