'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { messageOf } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { type ObjectAddress, readStoredObject } from './object-draft';

/** The data of a ConfigMap or Secret, key by key. Secret values are read only when the person asks to see them. */
export function DataCard({ address, object }: { address: ObjectAddress; object: KubeObject }) {
  if (object.apiVersion !== 'v1' || (object.kind !== 'ConfigMap' && object.kind !== 'Secret')) return null;
  return object.kind === 'Secret' ? <SecretData address={address} object={object} /> : <ConfigData object={object} />;
}

function ConfigData({ object }: { object: KubeObject }) {
  const data = objectAt(object, 'data');
  const binary = Object.keys(objectAt(object, 'binaryData'));
  return (
    <Card title="Data" note={countKeys(Object.keys(data).length + binary.length)}>
      <Entries values={Object.entries(data).map(([key, value]) => [key, String(value)])} />
      {binary.length > 0 && <p className="border-t px-4 py-2 text-ink-2">Binary: {binary.join(', ')}</p>}
    </Card>
  );
}

function SecretData({ address, object }: { address: ObjectAddress; object: KubeObject }) {
  const keys = Object.keys(objectAt(object, 'data'));
  const [revealed, setRevealed] = useState<{ version: string | undefined; data: JsonObject }>();
  const [error, setError] = useState<string>();
  const isCurrent = revealed !== undefined && revealed.version === object.metadata.resourceVersion;
  const reveal = async () => {
    try {
      const stored = await readStoredObject(address);
      setRevealed({ version: stored.metadata.resourceVersion, data: isJsonObject(stored.data) ? stored.data : {} });
      setError(undefined);
    } catch (cause) {
      setError(messageOf(cause));
    }
  };
  return (
    <Card
      title="Data"
      note={countKeys(keys.length)}
      action={
        <Button size="small" onClick={() => (isCurrent ? setRevealed(undefined) : void reveal())}>
          {isCurrent ? 'Hide values' : 'Reveal values'}
        </Button>
      }
    >
      {error !== undefined && <p className="px-4 py-2 text-fail">{error}</p>}
      {isCurrent ? (
        <Entries values={Object.entries(revealed.data).map(([key, value]) => [key, decodeBase64(String(value))])} />
      ) : (
        <Entries values={keys.map((key) => [key, undefined])} />
      )}
    </Card>
  );
}

function Entries({ values }: { values: readonly (readonly [key: string, value: string | undefined])[] }) {
  if (values.length === 0) return <p className="px-4 py-3 text-ink-3">No keys.</p>;
  return (
    <dl className="divide-y divide-line">
      {values.map(([key, value]) => (
        <div key={key} className="grid gap-x-3 gap-y-1 px-4 py-2 sm:grid-cols-[minmax(100px,200px)_minmax(0,1fr)_auto]">
          <dt className="mono min-w-0 font-medium">{key}</dt>
          <dd className="min-w-0">
            {value === undefined ? (
              <span className="text-ink-3" title="Masked">
                ••••••••
              </span>
            ) : (
              <pre className="mono max-h-60 overflow-auto whitespace-pre-wrap">{value}</pre>
            )}
          </dd>
          <dd>{value !== undefined && <CopyButton text={value} label={`Copy ${key}`} />}</dd>
        </div>
      ))}
    </dl>
  );
}

function countKeys(count: number): string {
  return `${count} ${count === 1 ? 'key' : 'keys'}`;
}

/** Base64 as text; what is no UTF-8 stays base64. */
function decodeBase64(text: string): string {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
}
