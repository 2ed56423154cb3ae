import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { json } from './form-server.js';
import { paid } from './payments.js';

/** Starts a TLS platform that responds to every request with a payment. */
export async function tlsPlatform(options: ServerOptions) {
  const requests: { path: string; clientName: string | undefined }[] = [];
  const server = createServer(options, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    requests.push({ path: request.url ?? '', clientName: subject?.CN?.toString() });
    json(response, 201, paid);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
