import { expect, it } from 'vitest';
import { headersFor } from './aggregated';

const user = {
  name: 'zoë',
  uid: '7',
  groups: ['dev', 'system:authenticated'],
  extra: { 'authentication.kubernetes.io/pod-name': ['web-0'], 'Scopes(x)': ['a', 'b'] },
};

it('only the sandbox names the user in headers, and credentials are not passed on', () => {
  const headers = {
    authorization: 'Bearer secret',
    cookie: 'session=secret',
    host: 'sandbox',
    connection: 'keep-alive',
    'x-remote-user': 'mallory',
    'x-remote-group': 'system:masters',
    'x-remote-extra-scopes': 'all',
    'impersonate-user': 'zoë',
    accept: 'application/json',
    'content-type': 'application/json',
  };
  expect(headersFor({ headers }, user)).toEqual({
    accept: ['application/json'],
    'content-type': ['application/json'],
    'x-remote-user': [Buffer.from('zoë').toString('latin1')],
    'x-remote-uid': ['7'],
    'x-remote-group': ['dev', 'system:authenticated'],
    'x-remote-extra-authentication.kubernetes.io%2fpod-name': ['web-0'],
    'x-remote-extra-scopes%28x%29': ['a', 'b'],
  });
});
