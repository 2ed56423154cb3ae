/** What a run says: a line of the program, a request to the sandbox, a delivery of it, or an error. */
export interface Line {
  readonly kind: 'printed' | 'request' | 'webhook' | 'error';
  readonly text: string;
}

/** The words of the component, in each language. */
export const words = {
  en: {
    run: 'Run here',
    running: 'Running…',
    note: 'In this page, against the sandbox. No server, no network.',
    output: 'Output of the sample',
    printed: 'printed',
    request: 'request',
    webhook: 'webhook',
    error: 'error',
    done: 'Done.',
  },
  pt: {
    run: 'Rodar aqui',
    running: 'Rodando…',
    note: 'Nesta página, contra o sandbox. Sem servidor, sem rede.',
    output: 'Saída do exemplo',
    printed: 'impresso',
    request: 'requisição',
    webhook: 'webhook',
    error: 'erro',
    done: 'Pronto.',
  },
} as const;
