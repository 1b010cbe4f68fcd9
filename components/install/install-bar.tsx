import { useBlocks } from '@/components/access/use-access';
import { ProblemNotice } from '@/components/resources/problem-notice';
import type { SaveProblem } from '@/components/resources/use-object-draft';
import { BottomBar } from '@/components/ui/bottom-bar';
import { Button } from '@/components/ui/button';
import type { AccessQuestion } from '@/lib/kube/access';
import type { InstallRequest } from '@/lib/kudo/package/catalogue';

/** The bar under the form: what will happen, which fields need a value, and the two ways on. */
export function InstallBar({
  wish,
  toFix,
  rights,
  crdsMissing,
  kindsBlock,
  isPreview,
  isBusy,
  problem,
  onPreview,
  onInstall,
}: {
  wish: InstallRequest;
  /** Labels of the fields that are wrong or empty. */
  toFix: readonly string[];
  /** What the person needs for it. */
  rights: readonly AccessQuestion[];
  crdsMissing: boolean;
  /** What is to be decided about CRDs first. */
  kindsBlock: string | undefined;
  isPreview: boolean;
  isBusy: boolean;
  /** Why the last attempt was refused; shown beside the button, however long the form is. */
  problem: SaveProblem | undefined;
  onPreview: () => void;
  onInstall: () => void;
}) {
  const changed = Object.keys(wish.parameters).length;
  const [first] = toFix;
  const block = useBlocks(rights).find((each) => each !== undefined);
  const blocked = first === undefined ? undefined : `Fix ${first} to continue.`;
  return (
    <BottomBar>
      {problem !== undefined && (
        <div className="max-h-48 basis-full overflow-y-auto">
          <ProblemNotice title="Not installed" problem={problem} />
        </div>
      )}
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">
          {wish.instance || '…'} in {wish.namespace || '…'} → plan <code>deploy</code>
        </p>
        <p className="text-ink-2">
          {changed === 0
            ? 'All parameters have their default values'
            : `${changed} ${changed === 1 ? 'parameter differs' : 'parameters differ'} from the default`}
        </p>
      </div>
      {first !== undefined && (
        <p className="text-fail" role="status">
          {toFix.length === 1 ? '1 field needs' : `${toFix.length} fields need`} a value: {first}
          {toFix.length > 1 && ' …'}
        </p>
      )}
      <div className="flex gap-2">
        <Button onClick={onPreview} disabledReason={isPreview ? undefined : blocked}>
          {isPreview ? 'Back to the form' : 'Preview'}
        </Button>
        <Button
          variant="primary"
          busy={isBusy}
          disabledReason={
            crdsMissing
              ? "Bravo's CRDs are not installed in this cluster. Install them first."
              : (blocked ?? kindsBlock ?? block)
          }
          onClick={onInstall}
        >
          Install
        </Button>
      </div>
    </BottomBar>
  );
}
