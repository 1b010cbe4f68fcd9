import { createSocket, type Socket } from 'node:dgram';
import { readQuestion, TYPE_A, writeAnswer } from './dns-message';
import { addressesOf } from './dns-records';
import type { ServiceObjects } from './endpoints';

/** The most addresses that fit in a message of 512 bytes beside a long name. */
const MAX_ADDRESSES = 12;

/** Answers the names of Services and their pods over UDP; every other name does not exist. */
export function startDnsServer(address: string, port: number, objects: () => ServiceObjects): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const question = readQuestion(message);
    if (question === undefined) return;
    const found = addressesOf(question.name, objects())?.slice(0, MAX_ADDRESSES);
    const answers = found === undefined || question.type === TYPE_A ? found : [];
    socket.send(writeAnswer(question, answers), from.port, from.address);
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, address, () => {
      socket.removeListener('error', reject);
      // An answer that cannot be sent is asked for again.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}
