import type { PackageFiles } from '@/lib/kudo/package/types';
import type { CheckedDraft } from '@/lib/workshop/check-draft';
import type { RenderedDraft, RenderWish } from '@/lib/workshop/render-draft';

/** What the page asks its worker: to verify these files and, with a wish, to render one plan. */
export interface CheckRequest {
  readonly revision: number;
  readonly files: PackageFiles;
  readonly wish: RenderWish;
}

/** What the worker answers: once which functions templates have, then to each request the verification, and when it has time the rendering. */
export type CheckAnswer =
  | { readonly kind: 'ready'; readonly functions: readonly string[] }
  /** The texts of templates are left out of the objects: the page has them. */
  | { readonly kind: 'checked'; readonly revision: number; readonly checked: CheckedDraft }
  | { readonly kind: 'rendered'; readonly revision: number; readonly rendered: RenderedDraft };
