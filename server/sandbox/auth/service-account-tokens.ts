import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { getAt, isJsonObject, type JsonObject, numberAt, stringAt } from '@/lib/json/json';
import { randomUuid } from '@/lib/random/random';
import type { UserInfo } from '../rbac/user';
import type { Registry } from '../registry/registry';

export const API_AUDIENCE = 'https://kubernetes.default.svc';
const HEADER = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'bravo-sandbox', typ: 'JWT' })).toString('base64url');

/** An object that a token lives and dies with. */
export interface BoundObject {
  readonly kind: 'Pod' | 'Secret' | 'Node';
  readonly name: string;
  readonly uid: string;
}

export interface TokenOrder {
  readonly namespace: string;
  readonly account: { readonly name: string; readonly uid: string };
  readonly audiences: readonly string[];
  readonly lifeSeconds: number;
  readonly bound: BoundObject | undefined;
}

export interface VerifiedToken {
  readonly user: UserInfo;
  readonly audiences: readonly string[];
}

/** Makes and checks the JWTs of ServiceAccounts (Kubernetes pkg/serviceaccount). */
export class ServiceAccountTokens {
  private readonly key: KeyObject;
  private readonly publicKey: KeyObject;

  constructor(
    private readonly registry: Registry,
    keyPem: string,
  ) {
    this.key = createPrivateKey(keyPem);
    this.publicKey = createPublicKey(this.key);
  }

  issue(order: TokenOrder): { token: string; expiresMs: number } {
    const issued = Math.floor(this.registry.clock.now() / 1000);
    const { namespace, account, bound } = order;
    const claims: JsonObject = {
      aud: [...order.audiences],
      exp: issued + order.lifeSeconds,
      iat: issued,
      iss: API_AUDIENCE,
      jti: randomUuid(this.registry.random),
      'kubernetes.io': {
        namespace,
        ...(bound === undefined ? {} : { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } }),
        serviceaccount: { name: account.name, uid: account.uid },
      },
      nbf: issued,
      sub: `system:serviceaccount:${namespace}:${account.name}`,
    };
    const body = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const signature = sign('sha256', Buffer.from(body), { key: this.key, dsaEncoding: 'ieee-p1363' });
    return { token: `${body}.${signature.toString('base64url')}`, expiresMs: (issued + order.lifeSeconds) * 1000 };
  }

  /** The account of a token for one of the audiences; undefined when it is not one of ours, expired, or its objects no longer exist. */
  read(token: string, audiences: readonly string[]): VerifiedToken | undefined {
    const claims = this.claimsOf(token);
    if (claims === undefined) return undefined;
    const shared = (Array.isArray(claims.aud) ? claims.aud : []).map(String).filter((each) => audiences.includes(each));
    const expires = numberAt(claims, 'exp') ?? 0;
    if (shared.length === 0 || expires * 1000 <= this.registry.clock.now()) return undefined;
    const namespace = stringAt(claims, 'kubernetes.io', 'namespace') ?? '';
    const name = stringAt(claims, 'kubernetes.io', 'serviceaccount', 'name') ?? '';
    const uid = stringAt(claims, 'kubernetes.io', 'serviceaccount', 'uid') ?? '';
    if (!this.lives('serviceaccounts', `${namespace}/${name}`, uid) || !this.boundObjectsLive(claims, namespace)) {
      return undefined;
    }
    const extra: { [key: string]: readonly string[] } = {
      'authentication.kubernetes.io/credential-id': [`JTI=${stringAt(claims, 'jti')}`],
    };
    const pod = getAt(claims, 'kubernetes.io', 'pod');
    if (isJsonObject(pod)) {
      extra['authentication.kubernetes.io/pod-name'] = [String(pod.name)];
      extra['authentication.kubernetes.io/pod-uid'] = [String(pod.uid)];
    }
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
    return { user: { name: `system:serviceaccount:${namespace}:${name}`, uid, groups, extra }, audiences: shared };
  }

  private claimsOf(token: string): JsonObject | undefined {
    const [header, body, signature, ...rest] = token.split('.');
    if (header !== HEADER || body === undefined || signature === undefined || rest.length > 0) return undefined;
    const signed = Buffer.from(`${header}.${body}`);
    const key = { key: this.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return undefined;
    const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    return isJsonObject(claims) ? claims : undefined;
  }

  private boundObjectsLive(claims: JsonObject, namespace: string): boolean {
    const places = [
      ['pod', 'pods', `${namespace}/`],
      ['secret', 'secrets', `${namespace}/`],
      ['node', 'nodes', ''],
    ] as const;
    return places.every(([claim, storage, prefix]) => {
      const bound = getAt(claims, 'kubernetes.io', claim);
      return !isJsonObject(bound) || this.lives(storage, `${prefix}${String(bound.name)}`, String(bound.uid));
    });
  }

  private lives(storage: string, key: string, uid: string): boolean {
    return this.registry.store.get(storage, key)?.object.metadata.uid === uid;
  }
}
