import { readCertificate } from '../contract/certificate-text.js';
import type { Certificate } from '../contract/certificates.js';
import { isRecord } from '../input/record.js';
import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';

/** What `certificates.activate` takes. */
export interface ActivateCertificate {
  /**
   * The certificate that the authority issued from the CSR of this record: PEM, or DER in base64, as text
   * or as the bytes of the file.
   */
  certificate: string | Uint8Array | ArrayBuffer;
}

/** Which certificates `certificates.list` shows. */
export interface CertificateFilter {
  /** Assumed name of the query parameter. */
  type?: 'apple_pay_payment_processing' | undefined;
}

/** Certificates of wallets. */
export class Certificates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The organization's certificates (API document, Certificates). */
  list(filter: CertificateFilter = {}, options?: CallOptions): Promise<{ data: Certificate[] }> {
    return this.#transport.call('certificates.list', { query: filter }, options);
  }

  /**
   * Activates a certificate (API document, Certificates). It applies to new transactions at once. PEM,
   * base64 and the bytes of a .cer file are told apart, and sent as the platform takes them. It is never
   * sent again by itself: after an `unknown` outcome, `list` tells the status.
   *
   * @param id UUID of the record whose CSR the authority signed.
   * @throws ValidationError for a key, a CSR, or anything else that is no certificate; nothing was sent.
   */
  async activate(id: string, body: ActivateCertificate, options?: CallOptions): Promise<Certificate> {
    const params = { id };
    if (!isRecord(body)) return this.#transport.call('certificates.activate', { params, body }, options);
    const { text, problem } = readCertificate(body);
    const issues = problem === undefined ? [] : [{ path: 'certificate', message: problem }];
    const input = { params, body: { certificate: text }, issues };
    return this.#transport.call('certificates.activate', input, options);
  }

  /**
   * Revokes a certificate (API document, Certificates): it no longer applies to new transactions.
   * Revoking it again succeeds and returns the record.
   *
   * @param id UUID.
   */
  revoke(id: string, options?: CallOptions): Promise<Certificate> {
    return this.#transport.call('certificates.revoke', { params: { id } }, options);
  }
}
