interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  readonly write: (values: Readonly<Record<string, string>>) => string;
}

export const prompts: readonly Prompt[] = [
  {
    name: 'add-pix',
    description: 'Add Pix to this shop, and check that it survives lost responses and repeated webhooks.',
    arguments: [
      { name: 'framework', description: 'Such as Express, Fastify, NestJS or Next.js.', required: false },
    ],
    write: ({ framework = 'its framework' }) => `Add Pix to the shop in this folder, which uses ${framework}.

1. Read the pages shop, first-pix and durable-payments (read_page), and the sample of the server in webhook-servers.
2. Use one idempotency key per order, such as order-1042. After a lost response, retry with the same key. A new key charges twice.
3. Create the payment with createDurablePayments on the shop's own database, and respond with the Pix code.
4. Mount createReceiver before any body parser, with a store that all processes share. Mark the order as paid only in its handler.
5. Amounts are integers in cents.
6. connection says how the shop reaches the sandbox. Start the shop, and create an order.
7. Test: faults_add with { "operation": "payments.create", "fault": "reset", "phase": "after-commit" }, and order again; payments_pay; deliveryFaults_add with { "fault": "duplicate" }.
8. check_integration must find no failed journey, and check_charges no order that was charged twice.`,
  },
  {
    name: 'find-webhook',
    description: "Find out why a webhook doesn't arrive.",
    arguments: [{ name: 'event', description: 'Such as transaction.paid.', required: false }],
    write: ({ event = 'the event' }) => `Find out why ${event} does not arrive at the shop.

1. endpoints_list: is there an endpoint with the shop's URL, and does it subscribe to ${event}?
2. deliveries_list: was the event sent, and what did the shop respond? deliveryFaults_fired: did a fault hit it?
3. send_webhook to the shop's route, once signed and once with signed: false. A signed one must return 2xx, an unsigned one 4xx.
4. After a 4xx for a signed one, the secrets differ, or a body parser changed the raw body (read_page webhook-problems).
5. After a 5xx, read the shop's log: its handler threw.
6. Repair it, and send the delivery again with deliveries_resend.`,
  },
];
