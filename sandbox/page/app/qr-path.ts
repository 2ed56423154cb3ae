import encodeQR from 'qr';

/**
 * Draws a string as a QR code. Returns an SVG path with one unit for each module, and the code's size in
 * units.
 */
export function drawQrCode(text: string): { readonly path: string; readonly size: number } {
  const rows = encodeQR(text, 'raw', { border: 2 });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return { path: path.join(''), size: rows.length };
}
