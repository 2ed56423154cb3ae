import {
  ApiError,
  BadRequestError,
  type ErrorCode,
  isPaymentPlatformError,
  PaymentPlatformError,
  RateLimitError,
  ValidationError,
} from 'payment-platform';
import type { DurableErrorCode, DurablePaymentError } from 'payment-platform/durable';
import { expect, expectTypeOf, test, vi } from 'vitest';
import type { errorCodes } from './support/error-codes.js';

test('instanceof works for the error classes, even across two copies of the package', async () => {
  vi.resetModules();
  const other = await import('payment-platform');
  expect(other.BadRequestError).not.toBe(BadRequestError);
  for (const error of [new BadRequestError('no', {}), new other.BadRequestError('no', {})]) {
    for (const type of [
      BadRequestError,
      ApiError,
      PaymentPlatformError,
      Error,
      other.ApiError,
      other.BadRequestError,
    ])
      expect(error).toBeInstanceOf(type);
    for (const type of [RateLimitError, ValidationError, other.RateLimitError, TypeError])
      expect(error).not.toBeInstanceOf(type);
    expect(isPaymentPlatformError(error)).toBe(true);
  }
  for (const value of [null, undefined, 7, {}, new Error('x'), { name: 'ApiError' }]) {
    expect(value instanceof PaymentPlatformError).toBe(false);
    expect(isPaymentPlatformError(value)).toBe(false);
  }
});

test('instanceof distinguishes a merchant’s subclass from its base class', () => {
  class ShopError extends ApiError {}
  expect(new ShopError('no', {})).toBeInstanceOf(ShopError);
  expect(new ShopError('no', {})).toBeInstanceOf(ApiError);
  expect(new ApiError('no', {})).not.toBeInstanceOf(ShopError);
});

test('the JSON of an error contains only the fields that are set', () => {
  const error = new RateLimitError('slow down', {
    outcome: 'not-executed',
    status: 429,
    attempts: 3,
    retryAfter: 2,
  });
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'RateLimitError',
    code: 'rate_limited',
    message: 'slow down',
    outcome: 'not-executed',
    status: 429,
    attempts: 3,
    retryAfter: 2,
  });
  expect(Object.keys(error)).not.toContain('idempotencyKey');
});

test('the type of error.code is narrowed to the codes of its class', () => {
  expectTypeOf<PaymentPlatformError['code']>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<RateLimitError['code']>().toEqualTypeOf<'rate_limited'>();
  expectTypeOf<ValidationError['code']>().toEqualTypeOf<'validation_failed'>();
  expectTypeOf<DurablePaymentError['code']>().toEqualTypeOf<DurableErrorCode>();
  type StatusClass = 'ApiError' | 'RateLimitError' | 'ServerError' | 'NotFoundError' | 'PermissionError';
  type OfStatus =
    | StatusClass
    | `${'BadRequest' | 'Authentication' | 'IdempotencyConflict' | 'PaymentOutcomeUnknown'}Error`;
  type Codes = { [Code in ErrorCode]: (typeof errorCodes)[Code] extends OfStatus ? Code : never }[ErrorCode];
  expectTypeOf<ApiError['code']>().toEqualTypeOf<Codes>();
});
