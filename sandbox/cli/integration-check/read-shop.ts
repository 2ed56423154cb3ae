import { parseTemplate } from './request-template.js';
import { methods, type ShopDescription } from './shop.js';
import { parseCondition } from './state.js';

/** The description of a shop in strings, as the command and the tool for agents take it. */
export interface ShopInput {
  readonly shop: string;
  readonly pix?: string | undefined;
  readonly card?: string | undefined;
  readonly boleto?: string | undefined;
  readonly state: string;
  readonly id: string;
  readonly paid: string;
  readonly refunded?: string | undefined;
  readonly webhook: string;
  readonly header: readonly string[];
  readonly timeout: number;
}

/** The values of a description that names none. */
export const shopDefaults = {
  state: 'GET /orders/{id}',
  id: 'id',
  paid: 'status=paid',
  webhook: '/webhooks',
} as const;

/**
 * Reads the description of a shop.
 *
 * @throws Error that begins with the name of a field
 */
export function readShop(input: ShopInput): ShopDescription {
  const { shop, id, webhook, refunded, timeout } = input;
  const orders = methods.flatMap((method) => {
    const text = input[method];
    return text === undefined ? [] : [[method, named(method, () => parseTemplate(text))] as const];
  });
  if (orders.length === 0) throw new Error('pix, card or boleto must be the request of an order');
  if (!webhook.startsWith('/')) throw new Error(`webhook must be a path such as /webhooks, not '${webhook}'`);
  return {
    url: shop.replace(/\/+$/, ''),
    orders: Object.fromEntries(orders),
    state: named('state', () => parseTemplate(input.state)),
    id,
    webhook,
    paid: named('paid', () => parseCondition(input.paid)),
    refunded: refunded === undefined ? undefined : named('refunded', () => parseCondition(refunded)),
    headers: Object.fromEntries(input.header.map((line) => named('header', () => parseHeader(line)))),
    timeout,
  };
}

function named<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new Error(`${name} ${(error as Error).message}`);
  }
}

function parseHeader(line: string): [string, string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/s.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error("must be 'name: value'");
  return [name, value];
}
