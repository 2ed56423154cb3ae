/** A two-digit id, a length in two digits, and the value. */
const field = (id: string, text: string) => id + String(text.length).padStart(2, '0') + text;

/**
 * CRC-16 in four hexadecimal digits. The BR Code requires the polynomial 0x1021 and the initial value 0xFFFF.
 */
export function computeChecksum(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    crc &= 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/**
 * A BR Code of the Brazilian Central Bank for one charge. The URL in it uses a domain that cannot exist, so
 * that no bank pays the code.
 *
 * @param amount cents
 */
export function createPixCode(paymentId: string, amount: number): string {
  const code = [
    field('00', '01'),
    // A single-use code.
    field('01', '12'),
    field('26', field('00', 'br.gov.bcb.pix') + field('25', `sandbox.test/pix/${paymentId}`)),
    field('52', '0000'),
    // The currency, BRL.
    field('53', '986'),
    field('54', (amount / 100).toFixed(2)),
    field('58', 'BR'),
    field('59', 'SANDBOX'),
    field('60', 'SAO PAULO'),
    field('62', field('05', '***')),
    '6304',
  ].join('');
  return code + computeChecksum(code);
}
