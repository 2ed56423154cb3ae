import { createServer } from 'node:http';
import express from 'express';
import express4 from 'express4';
import { toNodeHandler } from 'payment-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { notification, path, whole } from '../../webhooks/frameworks/deliveries.js';
import {
  application,
  holdsTheTable,
  json,
  saysWhoParsedTheBody,
} from '../../webhooks/frameworks/expectations.js';
import { listening } from '../../webhooks/frameworks/transports.js';

// Both versions are listed separately, so that the types of both accept the handler.

holdsTheTable(
  'Express 4, above express.json()',
  (receiver) => {
    const app = express4();
    app.post(path, toNodeHandler(receiver));
    app.use(express4.json());
    return listening(createServer(app));
  },
  { otherMethods: 404 },
);

holdsTheTable(
  'Express 5, above express.json()',
  (receiver) => {
    const app = express();
    app.post(path, toNodeHandler(receiver));
    app.use(express.json());
    return listening(createServer(app));
  },
  { otherMethods: 404 },
);

holdsTheTable('Express 4, as middleware of a path', (receiver) => {
  const app = express4();
  app.use(path, toNodeHandler(receiver));
  return listening(createServer(app));
});

holdsTheTable('Express 5, in a router, for all methods', (receiver) => {
  const router = express.Router();
  router.all('/', toNodeHandler(receiver));
  return listening(createServer(express().use(path, router)));
});

holdsTheTable(
  'Express 4, below express.raw()',
  (receiver) => {
    const app = express4();
    app.post(path, express4.raw({ type: '*/*' }), toNodeHandler(receiver));
    return listening(createServer(app));
  },
  { bodyIsReadBefore: true, otherMethods: 404 },
);

holdsTheTable(
  'Express 5, below express.raw()',
  (receiver) => {
    const app = express();
    app.post(path, express.raw({ type: '*/*' }), toNodeHandler(receiver));
    return listening(createServer(app));
  },
  { bodyIsReadBefore: true, otherMethods: 404 },
);

const keepRawBody = (request: object, _response: unknown, bytes: Buffer) => {
  Object.assign(request, { rawBody: bytes });
};

holdsTheTable(
  'Express 4, below express.json() that keeps the bytes',
  (receiver) => {
    const app = express4();
    app.use(express4.json({ verify: keepRawBody }));
    app.post(path, toNodeHandler(receiver));
    return listening(createServer(app));
  },
  { bodyIsReadBefore: true, otherMethods: 404 },
);

holdsTheTable(
  'Express 5, below express.json() that keeps the bytes',
  (receiver) => {
    const app = express();
    app.use(express.json({ verify: keepRawBody }));
    app.post(path, toNodeHandler(receiver));
    return listening(createServer(app));
  },
  { bodyIsReadBefore: true, otherMethods: 404 },
);

// Google Cloud's functions framework calls this before a function.
holdsTheTable(
  'a function of Google Cloud, whose request has a rawBody',
  (receiver) => {
    const app = express4();
    const options = { verify: keepRawBody, limit: '1024mb' };
    app.use(express4.json({ ...options, type: ['application/json', 'application/*+json'] }));
    app.use(express4.text(options));
    app.use(express4.urlencoded({ ...options, extended: true }));
    app.use(express4.raw({ ...options, type: '*/*' }));
    app.all('/*', toNodeHandler(receiver));
    return listening(createServer(app));
  },
  { bodyIsReadBefore: true },
);

const lineOfExpress = 'put app.post(path, toNodeHandler(receiver)) above app.use(express.json())';

saysWhoParsedTheBody(
  'Express 4, below express.json()',
  (receiver) => {
    const app = express4();
    app.use(express4.json());
    app.post(path, toNodeHandler(receiver));
    return listening(createServer(app));
  },
  lineOfExpress,
);

saysWhoParsedTheBody(
  'Express 5, below express.json()',
  (receiver) => {
    const app = express();
    app.use(express.json());
    app.post(path, toNodeHandler(receiver));
    return listening(createServer(app));
  },
  lineOfExpress,
);

describe('the other routes of an Express application', () => {
  const { deliver, watch } = application((receiver) => {
    const app = express();
    app.post(path, toNodeHandler(receiver));
    app.use(express.json());
    app.post('/orders', (request, response) => void response.json({ paid: request.body.amount }));
    return listening(createServer(app));
  });

  test('still use their own body parser', async () => {
    const watched = watch();
    expect(await deliver(json('/orders', '{"amount": 1990}'))).toEqual({
      status: 200,
      body: '{"paid":1990}',
    });
    expect(await deliver(whole(notification()))).toEqual({ status: 200, body: '' });
    expect(await deliver(json('/orders', '{"amount": 5}'))).toEqual({ status: 200, body: '{"paid":5}' });
    expect(watched.effects).toBe(1);
  });
});
