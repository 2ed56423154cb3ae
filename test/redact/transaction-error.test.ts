import { describe, expect, test } from 'vitest';
import { redactTransactionError } from '../../src/redact/cause.js';

describe('the error of a statement in the caller’s transaction', () => {
  const query = `INSERT INTO payments (payload) VALUES ('Ana - Souza, 12345678909')`;

  test.each([
    ['Drizzle', new Error(`Failed query: ${query}\nparams: Ana - Souza,12345678909`)],
    ['a library that writes only the query', new Error(query)],
    [
      'Drizzle around a value that is no Error',
      Object.assign(new Error(`Failed query: ${query}`), { cause: 'gone' }),
    ],
  ])('of %s repeats no part of the query', (_, thrown) => {
    const { name, message } = redactTransactionError(thrown);
    expect(name).toBe('StoreError');
    expect(message).toBe('A statement in your transaction failed: Error. Roll the transaction back.');
  });

  test('keeps the message after the query of Knex', () => {
    const { message } = redactTransactionError(
      new Error(`insert into a (b) values ($1) - Connection terminated`),
    );
    expect(message).toBe(
      'A statement in your transaction failed: Connection terminated. Roll the transaction back.',
    );
  });
});
