import encodeQR from 'qr';

/** The SVG path has one unit for each module. */
export function drawQrCode(text: string): { readonly path: string; readonly size: number } {
  const rows = encodeQR(text, 'raw', { border: 2 });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return { path: path.join(''), size: rows.length };
}
