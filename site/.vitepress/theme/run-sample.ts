/** A line of a run's output. */
export interface Line {
  readonly kind: 'printed' | 'request' | 'webhook' | 'error';
  readonly text: string;
  /** The bodies of a request and its response, or of a delivery, as indented JSON. */
  readonly bodies?: readonly { readonly name: 'sent' | 'received'; readonly json: string }[];
  /** The response's Pix code as an SVG path, one unit per module. */
  readonly qrCode?: { readonly path: string; readonly size: number } | undefined;
}

/** The component's labels in each language. */
export const words = {
  en: {
    run: 'Run here',
    running: 'Running…',
    note: 'Runs in this page with the sandbox, without a server.',
    output: 'Output of the sample',
    printed: 'output',
    request: 'request',
    webhook: 'webhook',
    error: 'error',
    sent: 'Request body',
    received: 'Response body',
    delivered: 'Delivery body',
    qrCode: 'The QR code of the Pix',
    done: 'Done. Select a request or a webhook to see its body.',
  },
  pt: {
    run: 'Executar aqui',
    running: 'Executando…',
    note: 'Roda nesta página, com o sandbox, sem servidor.',
    output: 'Saída do exemplo',
    printed: 'saída',
    request: 'requisição',
    webhook: 'webhook',
    error: 'erro',
    sent: 'Corpo da requisição',
    received: 'Corpo da resposta',
    delivered: 'Corpo da entrega',
    qrCode: 'O QR code do Pix',
    done: 'Pronto. Abra uma requisição ou um webhook para ver o corpo.',
  },
} as const;
