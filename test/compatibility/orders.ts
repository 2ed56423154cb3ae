/** What the stored data of a release is about. */
export const order = (externalId: string) => ({
  externalId,
  amount: 1990,
  paymentMethod: 'pix' as const,
  customer: { name: 'Ana Souza', document: { number: '12345678909', type: 'cpf' as const } },
  items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
});

export const secret = 'whsec_0123456789abcdef';

/** Of no use to anybody: they encrypt what is in the repository. */
export const encryptionKey = Buffer.alloc(32, 7).toString('base64');

export const notification = {
  id: '00000000-0000-4000-8000-000000000001',
  event: 'transaction.paid',
  status: 'paid',
  amount: 1990,
  paymentMethod: 'pix',
  externalReference: 'order-1',
};

/** Ten years: the stored data are to be read for as long. */
export const longest = 10 * 365 * 86_400_000;

/** What a released version has stored. */
export interface Stored {
  readonly version: string;
  /** A table as its version made it, and its rows. */
  readonly tables: Readonly<Record<TableName, { readonly sql: string; readonly rows: readonly object[] }>>;
  /** Keys of Redis without their prefix. */
  readonly redis: Readonly<Record<string, string>>;
  readonly sealedToken: string;
  /** The file of a sandbox, in which `order-1` and `order-2` were charged. */
  readonly state: string;
}

export type TableName = 'sqlite' | 'sqliteEncrypted' | 'postgres' | 'deliveries';
