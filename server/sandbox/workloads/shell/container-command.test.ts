import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import { numberAt } from '@/lib/json/json';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../core/resources';

/** Runs a pod to its end with a data volume and a script volume; its exit code and its log. */
async function runPod(container: { [key: string]: JsonValue }, scripts: { [name: string]: string } = {}) {
  const cluster = new TestCluster();
  cluster.create(resources.configmaps, { metadata: { name: 'scripts', namespace: 'demo' }, data: scripts });
  const volumeMounts = [
    { name: 'data', mountPath: '/data' },
    { name: 'scripts', mountPath: '/scripts' },
  ];
  cluster.create(resources.pods, {
    metadata: { name: 'p', namespace: 'demo' },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'app', image: 'some/image:1', volumeMounts, ...container }],
      volumes: [
        { name: 'data', emptyDir: {} },
        { name: 'scripts', configMap: { name: 'scripts' } },
      ],
    },
  });
  await cluster.settle();
  const code = numberAt(
    cluster.get(resources.pods, 'p'),
    'status',
    'containerStatuses',
    0,
    'state',
    'terminated',
    'exitCode',
  );
  return { code, log: await cluster.logs('p') };
}

describe('the command of a container', () => {
  it.each([
    [['false'], 1],
    [['sh', '-c', 'echo working; exit 4'], 4],
    [['/opt/app/bin/serve', '--port=80'], 0],
    [['sh', '-c', 'cd /opt/app && ./configure && cp conf/x.conf /opt/app/etc/x.conf; ./serve'], 0],
    [['bash', '-c', '-x', 'source $APP_HOME/.env; exec ${APP_HOME}/bin/serve'], 0],
    [['bash', '-c', 'for (( i=0; i<3; i++ )); do echo $i; done'], 0],
    [['sh', '-c', 'cat /data/missing'], 1],
    [['sh', '-c', 'mysql --database=kudo < /data/missing'], 0],
    [['sh', '-c', 'chown -R 1000:1000 /data && chmod -x /data && chmod -R u+w /usr/share/app && chgrp 0 /data'], 0],
    [['sh', '-c', 'chown 1000:1000 /data/missing'], 1],
    [['sh', '-ec', 'ls /bootstrap; rm /opt/old; grep -q a /etc/app.conf; du -s /opt/app; /bootstrap/run'], 0],
    [['sh', '-c', 'echo b > /tmp/x; grep -q /a /tmp/x'], 1],
    [['sh', '/scripts/ok.sh', 'arg'], 0],
    [['/scripts/ok.sh', 'arg'], 0],
    [['/scripts/bash-only.sh'], 0],
    [['sh', '/scripts/fails.sh'], 7],
  ])('%j ends with %d', async (command, code) => {
    const scripts = {
      'ok.sh': '#!/bin/sh\nset -eu\necho "got $1" > /data/out\ncat /data/out\n',
      'fails.sh': 'echo no >&2\nexit 7\n',
      'bash-only.sh':
        '#!/usr/bin/env bash\nif [[ $HOSTNAME =~ (.*)-([0-9]+)$ ]]; then N=${BASH_REMATCH[2]}; else exit 1; fi\n',
    };
    expect((await runPod({ command }, scripts)).code).toBe(code);
  });

  it('takes its words from command and args with the references to its environment', async () => {
    const env = [{ name: 'WHO', value: 'me' }];
    const { log } = await runPod({ command: ['echo', '$(WHO)'], args: ['and', '$$(WHO)', '$(NOBODY)'], env });
    expect(log).toBe('me and $(WHO) $(NOBODY)\n');
  });

  it('names image and arguments when the image has the program', async () => {
    expect((await runPod({ args: ['--verbose'] })).log).toBe(
      'simulated by the Bravo sandbox: image some/image:1 --verbose did nothing\n',
    );
  });
});
