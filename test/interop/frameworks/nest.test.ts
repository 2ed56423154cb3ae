import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import {
  Controller,
  type INestApplication,
  Module,
  Post,
  type RawBodyRequest,
  Req,
  Res,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Request, Response } from 'express';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signedNotification } from 'payment-platform/testing';
import { createReceiver, memoryDedupe, type Receiver, toNodeHandler } from 'payment-platform/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { holdsTheTable, saysWhoParsedTheBody } from '../../webhooks/frameworks/expectations.js';
import { overSockets } from '../../webhooks/frameworks/transports.js';

function moduleOnExpress(receiver: Receiver) {
  @Controller('webhooks')
  class WebhooksController {
    @Post()
    async receive(@Req() request: RawBodyRequest<Request>, @Res() response: Response) {
      await toNodeHandler(receiver)(request, response);
    }
  }
  @Module({ controllers: [WebhooksController] })
  class AppModule {}
  return AppModule;
}

function moduleOnFastify(receiver: Receiver) {
  @Controller('webhooks')
  class WebhooksController {
    @Post()
    async receive(@Req() request: RawBodyRequest<FastifyRequest>, @Res() reply: FastifyReply) {
      await toNodeHandler(receiver)(request, reply);
    }
  }
  @Module({ controllers: [WebhooksController] })
  class AppModule {}
  return AppModule;
}

test('NestJS accepts a body of more than 100 kB with the parser of the page about servers', async () => {
  const secret = 'whsec_0123456789abcdef';
  const receiver = createReceiver({
    secret,
    dedupe: memoryDedupe(),
    on: { 'transaction.paid': () => undefined },
  });
  const app = await NestFactory.create<NestExpressApplication>(moduleOnExpress(receiver), {
    ...options,
    rawBody: true,
  });
  app.useBodyParser('json', { limit: '1mb' });
  await app.listen(0, '127.0.0.1');
  onTestFinished(() => app.close());
  const { port } = app.getHttpServer().address() as AddressInfo;
  const note = 'x'.repeat(150_000);
  const event = { event: 'transaction.paid', id: 'p-1', status: 'paid', note };
  const { body, headers } = signedNotification(event, { secret });
  const init = { method: 'POST', body, headers } as RequestInit;
  expect((await fetch(`http://127.0.0.1:${port}/webhooks`, init)).status).toBe(200);
});

async function listen(app: INestApplication) {
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return overSockets(port, () => app.close());
}

const options = { logger: false, forceCloseConnections: true } as const;

holdsTheTable(
  'NestJS on Express, with rawBody',
  async (receiver) =>
    listen(await NestFactory.create(moduleOnExpress(receiver), { ...options, rawBody: true })),
  { bodyIsReadBefore: true, otherMethods: 404 },
);

holdsTheTable(
  'NestJS on Express, without a parser of bodies',
  async (receiver) =>
    listen(await NestFactory.create(moduleOnExpress(receiver), { ...options, bodyParser: false })),
  { otherMethods: 404 },
);

holdsTheTable(
  'NestJS on Fastify, with rawBody',
  async (receiver) =>
    listen(
      await NestFactory.create<NestFastifyApplication>(
        moduleOnFastify(receiver),
        new FastifyAdapter({ forceCloseConnections: true }),
        { ...options, rawBody: true },
      ),
    ),
  { bodyIsReadBefore: true, otherMethods: 404, emptyBody: 400 },
);

saysWhoParsedTheBody(
  'NestJS on Express, without rawBody',
  async (receiver) => listen(await NestFactory.create(moduleOnExpress(receiver), options)),
  'NestFactory.create(AppModule, { rawBody: true })',
);

saysWhoParsedTheBody(
  'NestJS on Fastify, without rawBody',
  async (receiver) =>
    listen(
      await NestFactory.create<NestFastifyApplication>(
        moduleOnFastify(receiver),
        new FastifyAdapter({ forceCloseConnections: true }),
        options,
      ),
    ),
  'NestFactory.create(AppModule, { rawBody: true })',
);
