import type { PaymentPlatform } from '../../src/client.js';
import type { Diagnosis } from '../doctor/diagnose.js';
import type { DiagnoseOptions } from '../doctor/options.js';

/**
 * Checks the path to the platform: network, credentials, clock and responses. With `charge`, also checks that
 * one idempotency key leads to one charge. By default it only reads.
 *
 * @throws TypeError naming every wrong option. Problems on the path are checks, not errors.
 */
export async function diagnose(platform: PaymentPlatform, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const { runDiagnosis } = await import('../doctor/diagnose.js');
  return runDiagnosis(platform, options);
}
