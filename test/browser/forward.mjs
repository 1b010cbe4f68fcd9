// node forward.mjs PORT SOCKET: hands every connection to 127.0.0.1:PORT on to the Unix socket, which also exists in other network namespaces.
import { createConnection, createServer } from 'node:net';

const [port, socket] = process.argv.slice(2);
const server = createServer((client) => {
  const console = createConnection(socket);
  client.pipe(console).pipe(client);
  for (const side of [client, console]) {
    side.on('error', () => {
      client.destroy();
      console.destroy();
    });
  }
});
server.listen(Number(port), '127.0.0.1');
