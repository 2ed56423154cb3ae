import { useEffect, useState } from 'preact/hooks';
import { announce, type ChangedRecords, onChange } from './live.js';
import { hideError } from './messages.js';

export class ApiError extends Error {
  readonly code: string | undefined;
  /** The payment that was created, if a fault hit its response. */
  readonly paymentId: string | undefined;

  constructor({ message, code, paymentId }: ErrorBody, status: number) {
    super(message ?? `HTTP ${status}`);
    this.code = code;
    this.paymentId = paymentId;
  }
}

interface ErrorBody {
  readonly message?: string;
  readonly code?: string;
  readonly paymentId?: string;
}

export async function readText(path: string, init?: RequestInit): Promise<string> {
  const response = await fetch(path, init);
  const text = await response.text();
  if (response.ok) return text;
  const { error = {} } = (text === '' ? {} : JSON.parse(text)) as { error?: ErrorBody };
  throw new ApiError(error, response.status);
}

async function request<Result>(path: string, init?: RequestInit): Promise<Result> {
  const text = await readText(path, init);
  return (text === '' ? undefined : JSON.parse(text)) as Result;
}

/** Every view then reads its data again. */
export async function send<Result>(
  path: string,
  body?: object,
  method: 'POST' | 'DELETE' = 'POST',
): Promise<Result> {
  try {
    const result = await request<Result>(path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    hideError();
    return result;
  } finally {
    announce('all');
  }
}

export interface Reading<Data> {
  /** Undefined until the first response. */
  readonly data: Data | undefined;
  readonly error: Error | undefined;
}

/** Reads again after records of these kinds change. */
export function useData<Data>(path: string, ...kinds: readonly ChangedRecords[]): Reading<Data> {
  const [reading, setReading] = useState<Reading<Data> & { readonly path: string }>({
    path,
    data: undefined,
    error: undefined,
  });
  const watched = kinds.join();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let isReading = false;
    let isStale = false;
    const read = async () => {
      if (isReading) {
        isStale = true;
        return;
      }
      isReading = true;
      do {
        isStale = false;
        try {
          const data = await request<Data>(path, { signal });
          setReading({ path, data, error: undefined });
        } catch (error) {
          if (signal.aborted) return;
          // An error response removes the data. While the sandbox does not respond, the page keeps the last
          // data.
          const isResponse = error instanceof ApiError;
          setReading((last) => ({
            path,
            data: isResponse || last.path !== path ? undefined : last.data,
            error: error as Error,
          }));
        }
      } while (isStale && !signal.aborted);
      isReading = false;
    };
    void read();
    const stop = onChange((changed) => {
      if (changed === 'all' || watched.split(',').some((kind) => changed.has(kind))) void read();
    });
    return () => {
      stop();
      controller.abort();
    };
  }, [path, watched]);
  return reading.path === path ? reading : { data: undefined, error: undefined };
}
