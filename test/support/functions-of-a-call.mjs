// Prints the functions of src/ that a warm payments.create runs over node:http, by file. The first argument is
// the folder of the compiled sources.
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(`${process.argv[2]}/`).href;
const { PaymentPlatform } = await import(`${folder}index.js`);

const payment = {
  id: '0b5a1f0e-9c5d-4c7b-8f43-0123456789ab',
  status: 'waiting_payment',
  amount: 1990,
  paymentMethod: 'pix',
  createdAt: '2026-01-01T00:00:00Z',
};
const server = createServer((request, response) => {
  request
    .resume()
    .on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(payment)));
});
await new Promise((resolve) => server.listen(0, resolve));
const platform = new PaymentPlatform({
  baseUrl: `http://127.0.0.1:${server.address().port}`,
  clientId: 'client',
  clientSecret: 'secret-of-a-test',
});
const order = {
  amount: 1990,
  paymentMethod: 'pix',
  customer: { name: 'Ana', document: { type: 'cpf', number: '12345678909' } },
  items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
};
for (let warm = 0; warm < 3; warm++) await platform.payments.create(order);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await session.post('Profiler.takePreciseCoverage');
await platform.payments.create(order);
const { result } = await session.post('Profiler.takePreciseCoverage');
session.disconnect();
platform.close();
server.close();

const files = result.flatMap(({ url, functions }) => {
  if (!url.startsWith(folder)) return [];
  const called = functions
    .filter(({ ranges: [range] }) => range.count > 0)
    .map(({ functionName }) => functionName || '(anonymous)')
    // The initial values of the fields of a class.
    .filter((name) => name !== '<instance_members_initializer>');
  return called.length === 0 ? [] : [[url.slice(folder.length), called]];
});
process.stdout.write(JSON.stringify(files));
