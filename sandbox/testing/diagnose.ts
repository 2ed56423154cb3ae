import type { PaymentPlatform } from '../../src/client.js';
import type { Diagnosis } from '../doctor/diagnose.js';
import type { DiagnoseOptions } from '../doctor/options.js';

/**
 * Checks the way to the platform: network, credentials, clock, responses, and with `charge` that one key is one charge.
 * By default it only reads.
 *
 * @throws TypeError naming every wrong option. Problems of the way are checks, not errors.
 */
export async function diagnose(platform: PaymentPlatform, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const { runDiagnosis } = await import('../doctor/diagnose.js');
  return runDiagnosis(platform, options);
}
