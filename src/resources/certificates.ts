import { readCertificate } from '../contract/certificates/certificate-text.js';
import type { ActivateBody } from '../contract/certificates/operations.js';
import type { Certificate, CertificateFilter } from '../contract/certificates/types.js';
import type { CallOptions } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';
import { bindMethods } from '../validation/methods.js';
import { isRecord } from '../validation/record.js';

/** The argument of `certificates.activate`. */
export interface ActivateCertificate {
  /**
   * The certificate that the authority issued for this record's CSR: PEM or base64-encoded DER, as a string
   * or as file bytes.
   */
  certificate: string | Uint8Array | ArrayBuffer;
}

/** Certificates for digital wallets. */
export class Certificates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /** Lists the organization's certificates (API docs, Certificates). */
  list<Extra extends object = object>(
    filter: CertificateFilter = {},
    options?: CallOptions,
  ): Promise<{ data: (Certificate & Extra)[] }> {
    return this.#transport.call('certificates.list', { query: filter }, options) as Promise<{
      data: (Certificate & Extra)[];
    }>;
  }

  /**
   * Activates a certificate (API docs, Certificates). The certificate applies to new transactions
   * immediately. The SDK recognises PEM, base64 and the bytes of a .cer file, and sends the certificate in a
   * format that the platform accepts. The SDK retries the call only after a failed connection, a 429
   * or a rejected access token. After an `unknown` outcome, check the status with `list`.
   *
   * @param id The UUID of the record whose CSR the authority signed.
   * @throws ValidationError for a private key, a CSR, or anything else that is not a certificate. Nothing was
   * sent.
   */
  async activate<Extra extends object = object>(
    id: string,
    body: ActivateCertificate,
    options?: CallOptions,
  ): Promise<Certificate & Extra> {
    const params = { id };
    // `extraBody` can replace the certificate.
    const { text, problem } = isRecord(body) ? readCertificate({ ...body, ...options?.extraBody }) : {};
    const issues = problem === undefined ? [] : [{ path: 'certificate', message: problem }];
    // If the body is not an object, the schema reports it later.
    const sent = (isRecord(body) ? { certificate: text } : body) as ActivateBody;
    return this.#transport.call('certificates.activate', { params, body: sent, issues }, options) as Promise<
      Certificate & Extra
    >;
  }

  /**
   * Revokes a certificate (API docs, Certificates). The certificate no longer applies to new transactions. If
   * the certificate is already revoked, the platform returns the record.
   *
   * @param id The certificate's UUID.
   */
  revoke<Extra extends object = object>(id: string, options?: CallOptions): Promise<Certificate & Extra> {
    return this.#transport.call('certificates.revoke', { params: { id } }, options) as Promise<
      Certificate & Extra
    >;
  }
}
