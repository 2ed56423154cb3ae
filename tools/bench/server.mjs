/** Runs the local server in a separate process. It returns the same JSON for every POST. */
import http from 'node:http';
import { intent, payment } from './samples.mjs';

const bodies = {
  '/v1/payments': Buffer.from(JSON.stringify(payment)),
  '/v1/payment_intents': Buffer.from(JSON.stringify(intent)),
};

const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const body = bodies[request.url];
  request.resume().once('end', () => {
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': 'application/json',
      'content-length': body?.length ?? 0,
      'x-request-id': 'req_0123456789abcdef',
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit());
