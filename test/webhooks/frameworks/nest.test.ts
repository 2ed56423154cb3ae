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
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Request, Response } from 'express';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Receiver, toNodeHandler } from 'payment-platform/webhooks';
import { holdsTheTable, saysWhoParsedTheBody } from './expectations.js';
import { overSockets } from './transports.js';

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
      const { rawBody = '', headers, originalUrl: url } = request;
      const { status } = await receiver.receive({ body: rawBody, headers, url });
      reply.code(status).send();
    }
  }
  @Module({ controllers: [WebhooksController] })
  class AppModule {}
  return AppModule;
}

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
