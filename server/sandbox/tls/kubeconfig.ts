import { writeYaml } from '@/lib/yaml/yaml';

export interface KubeconfigFacts {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

/** A kubeconfig for the sandbox, with its certificate authority and the token inside. */
export function kubeconfigText({ url, caPem, token }: KubeconfigFacts): string {
  return writeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'bravo-sandbox',
        cluster: { server: url, 'certificate-authority-data': Buffer.from(caPem).toString('base64') },
      },
    ],
    users: [{ name: 'bravo-admin', user: { token } }],
    contexts: [
      { name: 'bravo-sandbox', context: { cluster: 'bravo-sandbox', user: 'bravo-admin', namespace: 'default' } },
    ],
    'current-context': 'bravo-sandbox',
  });
}
