import type { RealCluster } from '@/test/node/real-cluster';
import { PODS, SERVICES } from '@/test/node/resources';

/**
 * Starts a real S3 server that checks keys and signatures, in pod `s3` behind `http://s3:5000`, with the bucket `backups` and one user.
 * Resolves with the id and the secret of the user's key.
 */
export async function startS3(cluster: RealCluster): Promise<readonly [string, string]> {
  const namespace = 'default';
  // Requests before keys are checked: the bucket, the user, the policy and the keys.
  const env = [{ name: 'INITIAL_NO_AUTH_ACTION_COUNT', value: '4' }];
  const container = {
    name: 's3',
    image: 'motoserver/moto:5.1.1',
    env,
    readinessProbe: { tcpSocket: { port: 5000 }, periodSeconds: 1 },
  };
  await cluster.api.create(
    { ...PODS, namespace },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 's3', labels: { app: 's3' } },
      spec: { containers: [container] },
    },
  );
  await cluster.api.create(
    { ...SERVICES, namespace },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's3' },
      spec: { selector: { app: 's3' }, ports: [{ port: 5000 }] },
    },
  );
  await cluster.podReady('s3');
  const script = `import boto3, json, os
args = dict(endpoint_url='http://localhost:5000', region_name='us-east-1', aws_access_key_id='x', aws_secret_access_key='x')
boto3.client('s3', **args).create_bucket(Bucket='backups')
iam = boto3.client('iam', **args)
iam.create_user(UserName='backup')
policy = {'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', 'Action': 's3:*', 'Resource': '*'}]}
iam.put_user_policy(UserName='backup', PolicyName='all', PolicyDocument=json.dumps(policy))
key = iam.create_access_key(UserName='backup')['AccessKey']
os.makedirs('/root/.aws', exist_ok=True)
open('/root/.aws/credentials', 'w').write('[default]\\naws_access_key_id=' + key['AccessKeyId'] + '\\naws_secret_access_key=' + key['SecretAccessKey'] + '\\n')
print(key['AccessKeyId'], key['SecretAccessKey'])`;
  const [keyId = '', key = ''] = (await cluster.exec('s3', 'python3', '-c', script)).trim().split(' ');
  return [keyId, key];
}
