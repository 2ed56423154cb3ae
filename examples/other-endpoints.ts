// Calls an endpoint without an SDK method. Run it: npx tsx examples/other-endpoints.ts

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PaymentPlatform, responseOf } from 'payment-platform';

// Imitates the platform, because the sandbox has no undocumented paths.
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ request: `${request.method} ${request.url}` }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const platform = new PaymentPlatform({
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  clientId: 'merchant',
  clientSecret: 'not-a-real-secret',
});
const result = await platform.request<{ request: string }>({
  method: 'PATCH',
  path: '/path/from/your/contract',
  body: { 'field-from-your-contract': 1 },
});
console.log(result.request, responseOf(result).status); // PATCH /path/from/your/contract 200

platform.close();
server.close();
