import type { Operation } from './operation.js';
import { createPayment, paymentBoleto } from './payments.js';
import { createWebhook, listWebhooks } from './webhook-endpoints.js';

/** Every endpoint, in one list. */
export const operations = [createPayment, paymentBoleto, createWebhook, listWebhooks] as const;

export type OperationId = (typeof operations)[number]['id'];

const byId = new Map<string, Operation>(operations.map((operation) => [operation.id, operation]));

export function operationById(id: OperationId): Operation {
  return byId.get(id) as Operation;
}
