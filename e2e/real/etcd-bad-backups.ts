import type { RealCluster } from '@/test/node/real-cluster';

/** Puts folders that are no backups beside the real one: cut, cut with a manifest that fits, and two of others. */
export async function writeBadBackups(cluster: RealCluster): Promise<void> {
  const script = `set -e; cd /backups; real="$(ls -d etcd-2*)"
copy() { cp -r "$real" "etcd-2020010$1T000000Z"; cd "etcd-2020010$1T000000Z"; }
seal() { { echo '# bravo backup 1'; echo "# operator: $1"; sha256sum ./snapshot.db ./status.json; echo '# end'; } > manifest.txt; cd ..; }
size=$(stat -c %s "$real/snapshot.db")
copy 1; head -c $((size / 2)) "../$real/snapshot.db" > snapshot.db; cd ..
copy 2; head -c $((size - 100)) "../$real/snapshot.db" > snapshot.db; seal etcd
copy 3; seal postgres
copy 4; yes 'INSERT INTO rows VALUES (1);' | head -c 100000 > snapshot.db; seal etcd
copy 5; rm manifest.txt
chmod -R a+rX /backups/etcd-2020*; touch /tmp/done; trap 'exit 0' TERM; sleep 1000 & wait`;
  const container = {
    name: 'client',
    image: 'busybox:1.37.0-musl',
    command: ['sh', '-c', script],
    volumeMounts: [{ name: 'backups', mountPath: '/backups' }],
  };
  await cluster.startPod('vandal', {
    containers: [container],
    volumes: [{ name: 'backups', persistentVolumeClaim: { claimName: 'etcd-backups' } }],
  });
  await cluster.until(() => cluster.exec('vandal', 'test', '-e', '/tmp/done'));
}
