'use client';

import { LinkButton } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { API_SERVICE_TYPE, type UnavailableVersion } from '@/lib/kube/api-services';
import { formatApiVersion, type GroupVersionResource } from '@/lib/kube/object';
import { objectHref } from '../resource-path';
import { useKnownKinds } from '../use-kinds';

/** One notice for each group and version whose kinds are not known now; the kinds of other groups are not touched by it. */
export function UnavailableVersions({ versions }: { versions: readonly UnavailableVersion[] }) {
  if (versions.length === 0) return null;
  return (
    <ul aria-label="Unavailable API groups" className="mb-4 grid gap-2">
      {versions.map(({ group, version, apiService, reason, message, advice }) => (
        <li key={formatApiVersion(group, version)}>
          <Notice
            tone="wait"
            title={`API group ${formatApiVersion(group, version)} is not available`}
            action={
              apiService !== undefined && (
                <LinkButton href={objectHref(API_SERVICE_TYPE, '', apiService)}>Open APIService</LinkButton>
              )
            }
          >
            <span className="wrap-anywhere">
              {reason !== '' && <span className="font-medium">{reason}: </span>}
              {sentence(message)} {advice ?? 'Its kinds cannot be read until the group answers again.'}
            </span>
          </Notice>
        </li>
      ))}
    </ul>
  );
}

/** Why the list of a kind cannot be read, when the API server behind its group does not answer. */
export function WhyUnavailable({ type: { group, version } }: { type: GroupVersionResource }) {
  const unavailable = useKnownKinds(undefined)?.unavailable ?? [];
  return (
    <UnavailableVersions versions={unavailable.filter((each) => each.group === group && each.version === version)} />
  );
}

/** What discovery says of a server that does not answer is one word. */
function sentence(message: string): string {
  if (message === 'stale' || message === '') return 'The API server behind the group does not answer.';
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
