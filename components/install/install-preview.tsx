import { ProblemNotice } from '@/components/resources/problem-notice';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { crdNameOf } from '@/lib/kudo/own-kinds/names';
import { apiOf } from '@/lib/kudo/own-kinds/stored-api';
import type { InstallRequest, PackageDetail } from '@/lib/kudo/package/catalogue';
import { PreviewRow, PreviewSteps } from './preview-steps';
import type { PreviewState } from './use-install';

/** Everything that an install creates: what Bravo writes itself, then each object of the deploy plan by step. */
export function InstallPreviewView({
  preview,
  wish,
  detail,
  isNewNamespace,
}: {
  preview: PreviewState;
  wish: InstallRequest;
  detail: PackageDetail;
  isNewNamespace: boolean;
}) {
  const tasks = preview.data?.tasks ?? [];
  const warnings = tasks.flatMap((task) => task.warnings);
  return (
    <div className="grid gap-4">
      {warnings.length > 0 && <Moved warnings={warnings} />}
      <Card title="Created now, with your permissions">
        <ul className="divide-y divide-line">
          {isNewNamespace && <PreviewRow kind="Namespace" name={wish.namespace} note="new" />}
          {(wish.skipCrds === true ? [] : apiOf(detail.version)).map((kind) => (
            <PreviewRow
              key={crdNameOf(kind)}
              kind="CustomResourceDefinition"
              name={crdNameOf(kind)}
              note={`kind ${kind.kind}, created or updated for the whole cluster`}
            />
          ))}
          <PreviewRow kind="Operator" name={detail.name} note="if it does not exist yet" />
          <PreviewRow
            kind="OperatorVersion"
            name={detail.version.metadata.name ?? ''}
            note="if it does not exist yet"
          />
          {detail.dependencies.map((name) => (
            <PreviewRow key={name} kind="Operator" name={name} note="dependency, if it does not exist yet" />
          ))}
          <PreviewRow kind="Instance" name={wish.instance} note="starts plan deploy" />
        </ul>
      </Card>
      {preview.problem !== undefined && (
        <ProblemNotice title="The preview is not available" problem={preview.problem} />
      )}
      {preview.data === undefined && preview.problem === undefined && (
        <Card title="Deploy plan">
          <SkeletonRows />
        </Card>
      )}
      <PreviewSteps tasks={tasks} />
    </div>
  );
}

function Moved({ warnings }: { warnings: readonly string[] }) {
  return (
    <Notice tone="wait" title="Some objects are converted to API versions that this cluster serves">
      <ul>
        {[...new Set(warnings)].map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Notice>
  );
}
